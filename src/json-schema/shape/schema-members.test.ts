import { describe, expect, it } from "vitest";
import { schemaMembersOf } from "./schema-members.ts";

const string = { type: "string" };
const integer = { type: "integer" };

describe("schemaMembersOf()", () => {
  const read = (schema: object): object => {
    const { named, required, patterns, others } = schemaMembersOf(schema, schema as Record<string, unknown>);
    return { named: Object.fromEntries(named), required: [...required], patterns, others };
  };

  it("reads what an object says", () => {
    expect(
      read({
        properties: { a: string },
        required: ["a", "b"],
        patternProperties: { "^x-": integer },
        additionalProperties: string,
      }),
    ).toEqual({ named: { a: string }, required: ["a", "b"], patterns: [["^x-", integer]], others: string });
  });

  it("has nothing of what is no object, or closes it", () => {
    const nothing = { named: {}, required: [], patterns: [], others: undefined };
    expect(read(string)).toEqual(nothing);
    expect(read({ additionalProperties: false })).toEqual(nothing);
  });

  it("takes the names of a record by an enum for members", () => {
    expect(read({ propertyNames: { enum: ["a", 1] }, additionalProperties: integer })).toMatchObject({
      named: { a: integer },
    });
  });

  it("joins what parts say, and requires what one of them requires", () => {
    expect(
      read({
        properties: { a: string },
        additionalProperties: string,
        allOf: [{ properties: { a: { minLength: 1 }, b: integer }, required: ["b"], additionalProperties: integer }],
      }),
    ).toEqual({
      named: { a: { allOf: [string, { minLength: 1 }] }, b: integer },
      required: ["b"],
      patterns: [],
      others: { allOf: [string, integer] },
    });
  });

  it("requires what all branches of a union require", () => {
    const branches = [
      { properties: { a: string, b: string }, required: ["a", "b"], additionalProperties: integer },
      { properties: { a: integer }, required: ["a"] },
    ];
    expect(read({ anyOf: branches })).toEqual({
      named: { a: { anyOf: [string, integer] }, b: string },
      required: ["a"],
      patterns: [],
      others: { anyOf: [integer, {}] },
    });
    expect(read({ oneOf: [branches[0]!] })).toMatchObject({ required: ["a", "b"], others: integer });
  });

  it("adds what holds on a condition, and requires none of it", () => {
    const schema = {
      properties: { a: string },
      then: { properties: { a: integer, b: integer }, required: ["b"] },
      else: { properties: { b: string }, patternProperties: { x: string } },
    };
    expect(read(schema)).toEqual({
      named: { a: string, b: integer },
      required: [],
      patterns: [["x", string]],
      others: undefined,
    });
  });

  it("ends where a schema holds itself", () => {
    expect(read({ properties: { a: string }, allOf: [{ $ref: "#" }] })).toMatchObject({ named: { a: string } });
  });
});
