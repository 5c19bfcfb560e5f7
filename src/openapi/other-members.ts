import { isJsonSchema, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { namesIn } from "../json-schema/shape/schema-members.ts";
import { nodeOf, objectIn } from "../json-schema/shape/schema-node.ts";

/**
 * Returns a schema of the members that an object may have beside those that it names, in any of its branches. Null
 * where the schema says nothing of them.
 */
export function otherMembersIn(root: JsonSchema): JsonSchema | null {
  const open = [...othersOf(root, root, new Set())];
  return open.length > 1 ? { anyOf: open } : (open[0] ?? null);
}

function* othersOf(value: unknown, root: JsonSchema, above: ReadonlySet<JsonSchema>): Generator<JsonSchema> {
  const node = nodeOf(value, root);
  const { schema, unions, parts } = node;
  if (above.has(schema)) return;
  const { others, names, patterns = [] } = objectIn(node) ?? {};
  const isOpen = others === true || (isJsonSchema(others) && namesIn(names, root).length === 0);
  if (isOpen || patterns.length > 0) {
    const said = Object.entries(schema).filter(([keyword]) => ofOthers.has(keyword));
    yield { type: "object", ...Object.fromEntries(said) };
  }
  for (const part of [...parts, ...unions.flat()]) yield* othersOf(part, root, new Set([...above, schema]));
}

const ofOthers = new Set(["propertyNames", "patternProperties", "additionalProperties"]);
