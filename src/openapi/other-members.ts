import { isJsonSchema, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import { namesIn } from "../json-schema/shape/schema-members.ts";
import { branchesIn, objectIn } from "../json-schema/shape/schema-node.ts";

/**
 * Returns a schema of the members that an object may have beside those that it names, in any of its branches. Null
 * where the schema says nothing of them.
 */
export function otherMembersIn(root: JsonSchema): JsonSchema | null {
  const open: JsonSchema[] = [];
  for (const node of branchesIn(root, root)) {
    const { others, names, patterns = [] } = objectIn(node) ?? {};
    const isOpen = others === true || (isJsonSchema(others) && namesIn(names, root).length === 0);
    if (!isOpen && patterns.length === 0) continue;
    const said = Object.entries(node.schema).filter(([keyword]) => ofOthers.has(keyword));
    open.push({ type: "object", ...Object.fromEntries(said) });
  }
  return open.length > 1 ? { anyOf: open } : (open[0] ?? null);
}

const ofOthers = new Set(["propertyNames", "patternProperties", "additionalProperties"]);
