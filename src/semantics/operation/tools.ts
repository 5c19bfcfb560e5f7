import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { described } from "../../http/javascript/described.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import type { Tool } from "../declaration/operation.ts";
import type { Media } from "./media.ts";
import { operationNameOf } from "./operation-name.ts";
import type { OperationModel } from "./operation-model.ts";

export function isTool(value: unknown): boolean {
  if (value === true) return true;
  if (!isPlainObject(value)) return false;
  const { name, title, description, destructive, ...others } = value as Readonly<Record<string, unknown>>;
  return (
    Object.keys(others).length === 0 &&
    [name, title, description].every((text) => text === undefined || (typeof text === "string" && text !== "")) &&
    (destructive === undefined || typeof destructive === "boolean")
  );
}

/** Returns the tool that an operation is, with its name; null where it is none. */
export function toolOf(model: OperationModel): (Tool & { readonly name: string }) | null {
  const { tool } = model.declaration;
  if (tool === undefined) return null;
  const { name = operationNameOf(model, "Resource"), ...more } = tool === true ? {} : tool;
  return { ...more, name };
}

/** Whether agents can neither send a field nor choose it: it says who asks, or comes with the request of the call. */
export function isKeptFromTools(field: string): boolean {
  return kept.test(field);
}

const kept =
  /^(?:authorization|cookie|host|origin|idempotency-key|forwarded|x-real-ip|traceparent|tracestate|baggage|transfer-encoding|connection|(?:proxy|sec|x-forwarded|content)-.*)$/i;

/**
 * Refuses tools that agents could not call.
 * @param known the operations of the tools before, by name. Tools of the operations are added.
 * @throws {TypeError} which says what to write.
 */
export function refuseUnfitTools(
  { name: owner, patterns }: MountedResource,
  models: Iterable<OperationModel>,
  known: Map<string, string>,
): void {
  for (const model of models) {
    const tool = toolOf(model);
    if (tool === null) continue;
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
    const field = [...(model.headers?.required ?? [])].find(isKeptFromTools);
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

/** Returns whether an agent can write content of a media type: JSON, or text. */
export function isSendable({ isJson, raw, schema }: Media): boolean {
  return (isJson && schema !== null) || raw?.kind === "text";
}
