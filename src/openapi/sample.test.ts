import { describe, expect, it } from "vitest";
import { sampleOf } from "./sample.ts";

describe("sampleOf()", () => {
  const of = (schema: object | boolean): unknown => sampleOf(schema, { $defs: { a: { const: 7 } } });

  it("takes what the schema says", () => {
    const known = [{ const: 1 }, { default: 2 }, { examples: [3] }, { enum: [4] }, { $ref: "#/$defs/a" }];
    expect(known.map(of)).toEqual([1, 2, 3, 4, 7]);
  });

  it("makes up the rest by type", () => {
    expect(["integer", "number", "boolean", "null", "string", "array"].map((type) => of({ type }))).toEqual([
      0,
      0,
      true,
      null,
      "text",
      ["text"],
    ]);
    expect(of({ type: ["integer", "null"], minimum: 3 })).toBe(3);
    expect(of(true)).toBe("text");
  });

  it("makes objects of required members, through branches and parts", () => {
    const a = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] };
    expect(of({ anyOf: [a, { type: "string" }] })).toEqual({ a: "text" });
    expect(of({ oneOf: [{ type: "integer" }] })).toBe(0);
    expect(of({ allOf: [a, { properties: { c: {} }, required: ["c"] }] })).toEqual({ a: "text", c: "text" });
    expect(of({ allOf: [{ type: "string" }] })).toBe("text");
  });

  it("ends where a schema holds itself", () => {
    const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#" } } }, required: ["kids"] };
    expect(JSON.stringify(sampleOf(tree, tree))).toBe('{"kids":[{"kids":[{"kids":[]}]}]}');
    const list = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
    expect(JSON.stringify(sampleOf(list, list))).toContain('{"next":null}');
  });
});
