import { describe, expect, it } from "vitest";
import { JsonSchemaTypes } from "./json-schema-type.ts";

function typeOf(schema: unknown): string {
  return new JsonSchemaTypes().typeOf(schema as Record<string, unknown>);
}

describe("JsonSchemaTypes", () => {
  it.each([
    [undefined, "unknown"],
    [{}, "unknown"],
    [{ not: {} }, "never"],
    [{ not: { type: "string" } }, "unknown"],
    [{ type: "string" }, "string"],
    [{ type: "string", format: "binary" }, "Blob"],
    [{ type: ["integer", "null"] }, "number | null"],
    [{ type: "boolean", nullable: true }, "boolean | null"],
    [{ type: "date" }, "unknown"],
    [{ const: "a" }, '"a"'],
    [
      { enum: ["a", 5, null, ["b"], { "c-d": true, e: 1 }] },
      '"a" | 5 | null | readonly ["b"] | { readonly "c-d": true; readonly e: 1; }',
    ],
    [{ enum: [] }, "never"],
    [{ anyOf: [{ type: "string" }, { type: "number" }, { type: "string" }] }, "string | number"],
    [{ oneOf: [{ type: "string" }, {}] }, "unknown"],
    [{ anyOf: [{ not: {} }, { type: "string" }] }, "string"],
    [{ type: "array" }, "readonly (unknown)[]"],
    [{ type: "array", items: { type: "string" } }, "readonly (string)[]"],
    [{ type: "array", prefixItems: [{ type: "string" }], items: false }, "readonly [string]"],
    [
      { type: "array", items: [{ type: "string" }], additionalItems: { type: "number" } },
      "readonly [string, ...readonly (number)[]]",
    ],
    [{ type: "object" }, "{ readonly [name: string]: unknown }"],
    [{ type: "object", additionalProperties: false }, "{}"],
    [
      { properties: { a: { type: "string" }, "b-c": true }, required: ["a"] },
      '{ readonly a: string; readonly "b-c"?: unknown; }',
    ],
    [{ type: "object", additionalProperties: { type: "number" } }, "{ readonly [name: string]: number }"],
    [
      { type: ["object", "null"], properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
      "({ readonly a?: string; } & { readonly [name: string]: number }) | null",
    ],
    [
      {
        allOf: [{ type: "object", properties: { a: {} } }, { $ref: "#/$defs/b" }],
        $defs: { b: { properties: { b: {} } } },
      },
      "({ readonly a?: unknown; }) & ({ readonly b?: unknown; })",
    ],
  ])("writes %j", (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it("names a schema that holds itself, once", () => {
    const types = new JsonSchemaTypes();
    const tree = { type: "object", properties: { next: { $ref: "#" }, other: { $ref: "#" } } };
    expect(types.typeOf(tree)).toBe("Recursive1");
    expect(types.typeOf(tree)).toBe("Recursive1");
    expect(types.declarations).toEqual([
      "type Recursive1 = { readonly next?: Recursive1; readonly other?: Recursive1; };",
    ]);
  });
});
