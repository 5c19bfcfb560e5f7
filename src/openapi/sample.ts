import { isJsonSchema, listOf, namedOf, schemaAt, type JsonSchema } from "../json-schema/json-schema.ts";

/**
 * Makes a value that shows the shape of a schema: its default or an example where there is one. It need not fit: what a pattern
 * matches is not made up.
 */
export function sampleOf(value: unknown, root: JsonSchema, depth: number = 0): unknown {
  const schema = schemaAt(value, root);
  for (const known of [schema["const"], schema["default"], listOf(schema, "examples")[0], listOf(schema, "enum")[0]]) {
    if (known !== undefined) return known;
  }
  if (depth > deepest) return null;
  const [branch] = [...listOf(schema, "anyOf"), ...listOf(schema, "oneOf")];
  if (branch !== undefined) return sampleOf(branch, root, depth + 1);
  const parts = listOf(schema, "allOf").map((part) => sampleOf(part, root, depth + 1));
  if (parts.length > 0 && parts.every(isJsonSchema)) return Object.assign({}, ...parts) as unknown;
  const [type] = [schema["type"]].flat();
  if (type === "array") return depth === deepest ? [] : [sampleOf(schema["items"], root, depth + 1)];
  if (type === "object" || Object.hasOwn(schema, "properties")) {
    const required = new Set(listOf(schema, "required"));
    const members = namedOf(schema, "properties").filter(([name]) => required.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(member, root, depth + 1)]));
  }
  if (type === "integer" || type === "number") return Math.max(0, Number(schema["minimum"] ?? 0));
  return type === "boolean" ? true : type === "null" ? null : "text";
}

const deepest = 5;
