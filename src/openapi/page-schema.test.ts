import { describe, expect, it } from "vitest";
import { z } from "zod";
import { schemaHTML } from "./page-schema.ts";

/** What a schema is said to be, without marks of HTML. */
const saidOf = (schema: object): string =>
  schemaHTML(schema)
    .replaceAll(/<li>/g, "; ")
    .replaceAll(/<[^>]+>/g, "");

const object = { type: "object", properties: { a: { type: "string" }, b: { type: "null" } }, required: ["a"] };

describe("schemaHTML()", () => {
  it.each([
    [{}, "anything"],
    [{ type: "string" }, "string"],
    [{ type: "string", minLength: 1 }, "string, not empty"],
    [{ type: "string", minLength: 2 }, "string, at least 2 characters"],
    [{ type: "string", maxLength: 1 }, "string, at most 1 character"],
    [{ type: "string", minLength: 2, maxLength: 2 }, "string, 2 characters"],
    [{ type: "string", minLength: 1, maxLength: 9 }, "string, 1 to 9 characters"],
    [{ type: "string", pattern: "^a$" }, "string, like ^a$"],
    [{ type: "string", format: "email", pattern: "^a$" }, "email address"],
    [{ type: "string", contentEncoding: "base64" }, "string, in base64"],
    [{ type: "string", format: "binary", contentEncoding: "binary" }, "bytes"],
    [{ type: "string", format: "own" }, "string as own"],
    [
      { type: "string", contentMediaType: "application/json", contentSchema: object },
      "JSON of object; a string; b optional null",
    ],
    [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, "integer"],
    [{ type: "integer", minimum: 0 }, "integer, at least 0"],
    [{ type: "number", maximum: 9, multipleOf: 3 }, "number, at most 9, a multiple of 3"],
    [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, "number, more than 0, less than 1"],
    [{ type: "integer", minimum: 1, maximum: 9 }, "integer, 1 to 9"],
    [{ type: ["boolean", "null"] }, "boolean or null"],
    [{ type: "string", nullable: true }, "string or null"],
    [{ type: "Date" }, "Date"],
    [{ not: {} }, "nothing"],
    [{ const: 1, default: 1 }, "1, default 1"],
    [{ enum: ["a", "b"] }, "&quot;a&quot; or &quot;b&quot;".replaceAll("&quot;", '"')],
    [{ type: "array" }, "list"],
    [{ type: "array", items: { type: "null" }, minItems: 1, maxItems: 2 }, "list of null, 1 to 2 items"],
    [{ type: "array", items: object, uniqueItems: true }, "list of object, each once; a string; b optional null"],
    [{ type: "array", prefixItems: [{ type: "null" }], items: {} }, "list; 1 null; others anything"],
    [{ type: "array", prefixItems: [{ type: "null" }], items: false }, "list; 1 null"],
    [{ type: "object" }, "object"],
    [{ ...object, additionalProperties: false }, "object; a string; b optional null"],
    [
      { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "null" } },
      "object; any other name null",
    ],
    [{ type: "object", patternProperties: { "^x": { type: "null" } } }, "object; names like ^x null"],
    [
      { type: "null", readOnly: true, deprecated: true, description: "<b>" },
      "null, only in answers, deprecated, &lt;b&gt;",
    ],
    [{ type: "null", writeOnly: true }, "null, only in requests"],
    [{ anyOf: [{ type: "null" }, { type: "string" }], description: "Either" }, "null or string, Either"],
    [{ oneOf: [{ type: "null" }, object] }, "one of; null; object; a string; b optional null"],
    [{ anyOf: [object] }, "object; a string; b optional null"],
    [{ allOf: [object, { type: "object" }] }, "object, object; a string; b optional null"],
    [{ type: "object", anyOf: [{ type: "null" }] }, "object, null"],
    [{ $ref: "#/components/schemas/A/properties/b" }, "A/properties/b"],
    [{ $ref: "#/components/schemas/A", default: 1 }, "A, default 1"],
  ])("C10.3 says what a person would: %j", (schema, said) => {
    expect(saidOf(schema)).toBe(said);
  });

  it("C10.3 shows what it has no words for as it is", () => {
    expect(saidOf({ type: "string", contains: { type: "null" } })).toBe(
      'stringJSON Schema{ "type": "string", "contains": { "type": "null" } }',
    );
    expect(saidOf({ type: "object", propertyNames: { pattern: "^a" } })).toContain('"propertyNames"');
    expect(saidOf({ type: "string", propertyNames: {} })).toContain('"propertyNames"');
    expect(saidOf({ not: { type: "null" } })).toContain('{ "not": { "type": "null" } }');
  });

  it("C10.3 says schemas of a library as they were meant", () => {
    const book = z.object({ title: z.string().min(1), year: z.int(), tags: z.record(z.string(), z.uuid()) });
    expect(saidOf(z.toJSONSchema(book))).toBe(
      "object; title string, not empty; year integer; tags object; any other name UUID",
    );
  });
});
