import { definitionOf, saidOf, type ZodSchema } from "../json-schema/library/zod-outline.ts";
import { wrapped } from "../json-schema/shape/member-conversion.ts";
import { isSchema, vendorOf } from "../json-schema/shape/standard-schema.ts";
import { schemasOfRaw } from "../semantics/operation/content-kinds.ts";
import { schemasIn } from "../semantics/operation/media.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import type { RequestRunner } from "../dispatch/mounted-resource.ts";
import { describedOperationsOf } from "./described-operation.ts";
import type { DocumentOptions } from "./document-options.ts";
import { operationIdsOf } from "./operation-id.ts";
import { keyOf, ofValues } from "./schema-names.ts";

/**
 * Returns whether two schemas have one id, as far as it is told without a conversion: by zod, and by JSON Schemas as
 * they are. The two may say the same: only a conversion says so.
 */
export function haveOneId(schemas: readonly unknown[]): boolean {
  const owners = new Map<string, unknown>();
  // What is added to a set while it is walked is walked, too.
  const seen = new Set(schemas);
  for (const schema of seen) {
    const { id, inside } = partsOf(schema);
    if (id !== null && (owners.get(id) ?? schema) !== schema) return true;
    if (id !== null) owners.set(id, schema);
    for (const one of inside) if (typeof one === "object" && one !== null) seen.add(one);
  }
  return false;
}

/**
 * Refuses two operations of one name, and two schemas of one id. Only where ids are equal it is described, for which
 * schemas are converted.
 * @throws {TypeError} as `document()` does.
 */
export function refuseSharedNames(
  dispatcher: RequestRunner,
  { only, webhooks = [] }: Pick<DocumentOptions, "only" | "webhooks">,
  describe: () => unknown,
): void {
  const operations = describedOperationsOf(dispatcher, only);
  operationIdsOf(operations);
  const models = new Set(operations.flatMap((one) => [one, ...one.rivals]).map(({ model }) => model));
  const others = [...webhooks.map(({ POST }) => POST.content), dispatcher.problems?.schema];
  if (haveOneId([...[...models].flatMap(schemasOf), ...others])) describe();
}

/** Lists the schemas that an operation declares. The content of a patch is made of another operation's. */
export function schemasOf({ declaration, answers, guards, socket, patch }: OperationModel): unknown[] {
  const { path, query, headers, cookies, content } = declaration;
  const all = [answers, ...guards.map((guard) => guard.answers)].flatMap((some) => [...some.values()]);
  const given = [path, query, headers, cookies, patch === null ? content : undefined];
  const answered = all.flatMap(({ media, headers: fields }) => [
    ...media.flatMap(({ schema, raw }) => schema ?? schemasOfRaw(raw!)),
    ...fields.map(([, schema]) => schema),
  ]);
  return [...given, socket?.receives, socket?.sends, ...answered].flatMap(schemasIn);
}

interface Parts {
  readonly id: string | null;
  /** What may be schemas. */
  readonly inside: readonly unknown[];
}

/** The id of a schema, and what it is made of. A getter of a shape may throw: then a conversion says why. */
function partsOf(value: unknown): Parts {
  try {
    const definition = definitionOf(value) as Readonly<Record<string, unknown>> | undefined;
    if (definition !== undefined) {
      const schema = value as ZodSchema;
      // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
      const inside = [schema._zod.innerType];
      for (const name of holders) {
        const held = definition[name] ?? [];
        if (definitionOf(held) === undefined) inside.push(...Object.values(held));
        else inside.push(held);
      }
      return { id: keyOf({ id: saidOf(schema)?.["id"] }), inside };
    }
    if (!isSchema(value)) {
      const members = Object.entries(value as object).filter(([name]) => !ofValues.has(name));
      return { id: keyOf(value as object as {}), inside: members.map(([, member]) => member) };
    }
    const parts = (value as { readonly [wrapped]?: readonly unknown[] })[wrapped];
    const { jsonSchema } = value["~standard"];
    const isRaw = parts === undefined && vendorOf(value) === "fingerpost";
    return { id: null, inside: parts ?? (isRaw ? [jsonSchema!.input({ target: "draft-2020-12" })] : []) };
  } catch {
    return { id: null, inside: [] };
  }
}

/** The members of definitions of zod that hold schemas: one, a list, or an object of them. */
const holders = "shape catchall innerType element options items rest keyType valueType in out left right".split(" ");
