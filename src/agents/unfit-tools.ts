import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { described } from "../http/javascript/described.ts";
import type { Media } from "../semantics/operation/media.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { operationsOf } from "../semantics/operation/reading.ts";
import { isKeptFromTools, isSendable, toolOf } from "../semantics/operation/tools.ts";

/**
 * Refuses tools that agents could not call. `mcp()` brings it, so that a program without agents does not hold it.
 * @throws {TypeError} which says what to write.
 */
export function refuseUnfitTools(resources: readonly MountedResource[]): void {
  const known = new Map<string, string>();
  for (const model of resources.flatMap((mounted) => [...operationsOf(mounted).values()])) {
    const tool = toolOf(model);
    if (tool === null || !model.isOnLine) continue;
    const { name: owner, patterns } = model.mounted;
    const cannot = `Cannot add ${owner} to the application: static ${model.method}`;
    if (!/^[\w.-]{1,64}$/.test(tool.name)) {
      throw new TypeError(
        `${cannot} is a tool of the name ${described(tool.name)}; write one of letters, digits, "_", "-" and ".", at ` +
          "most 64",
      );
    }
    const other = known.get(tool.name);
    if (other !== undefined) {
      throw new TypeError(
        `${cannot} is a tool of the name "${tool.name}", as static ${other} is; write tool: { name: "…" }`,
      );
    }
    known.set(tool.name, `${model.method} of ${owner}`);
    if (patterns.every((pattern) => !model.isAt(pattern))) {
      throw new TypeError(`${cannot} is a tool, and no path of ${owner} leads to it; write one in at`);
    }
    const field = model.headers?.required.find(isKeptFromTools);
    if (field !== undefined) {
      throw new TypeError(
        `${cannot} is a tool and requires the field ${described(field)}, which no agent can send; make it optional, ` +
          "or leave tool out",
      );
    }
    const unfit = unfitContentOf(model);
    if (unfit === null) continue;
    throw new TypeError(`${cannot} is a tool beside ${unfit}, which no agent reads or writes; leave one of them out`);
  }
}

/** What has no place in the call of a tool, or in its result: streams, files and forms. */
function unfitContentOf({ content, answers, socket }: OperationModel): string | null {
  if (socket !== null) return "socket()";
  const sent = content?.media ?? [];
  const [first] = sent;
  if (first !== undefined && !sent.some(isSendable)) return first.raw === null ? first.type : `${first.raw.kind}()`;
  const streamed = [...answers.values()]
    .flatMap(({ media }): readonly Media[] => media)
    .find(({ raw }) => raw?.kind === "events" || raw?.kind === "lines");
  return streamed === undefined ? null : `${streamed.raw!.kind}()`;
}
