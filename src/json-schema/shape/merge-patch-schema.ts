import { isJsonSchema, listOf, namedOf, type JsonSchema } from "./json-schema.ts";

/**
 * Describes the JSON Merge Patches (RFC 7396) of what a schema describes: no member is required, and null removes one.
 * A list is replaced as a whole.
 */
export function mergePatchSchemaOf(root: JsonSchema): JsonSchema {
  const definitions = new Map(namedOf(root, "$defs"));
  const memberOf = (schema: unknown): JsonSchema => ({ anyOf: [patchOf(schema), { type: "null" }] });
  function patchOf(schema: unknown): unknown {
    if (!isJsonSchema(schema)) return schema;
    const { additionalProperties: others } = schema;
    const patch: Record<string, unknown> = { ...schema };
    for (const keyword of unsaid) delete patch[keyword];
    const [, name] = /^#\/\$defs\/([^/]+)$/.exec(String(patch["$ref"])) ?? [];
    if (name !== undefined) {
      const known = `${name}Patch`;
      patch["$ref"] = `#/$defs/${known}`;
      if (!definitions.has(known)) {
        definitions.set(known, {});
        definitions.set(known, patchOf(definitions.get(name)));
      }
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"])
      if (keyword in patch) patch[keyword] = listOf(schema, keyword).map(patchOf);
    if ("properties" in patch)
      patch["properties"] = Object.fromEntries(
        namedOf(schema, "properties").map(([member, one]) => [member, memberOf(one)]),
      );
    if (isJsonSchema(others)) patch["additionalProperties"] = memberOf(others);
    return patch;
  }
  const patch = patchOf(root) as JsonSchema;
  return definitions.size === 0 ? patch : { ...patch, $defs: Object.fromEntries(definitions) };
}

/** What holds of a whole value and not of its patch. Members that GET sends and PUT does not take may be there. */
const unsaid = ["required", "minProperties", "additionalProperties", "$id", "id", "default", "examples"] as const;
