import { describe, expect, it } from "vitest";
import { textMembersOf } from "./text-members.ts";
import { TextShapes } from "./text-shape.ts";

describe("textMembersOf()", () => {
  const integer = { type: "integer" };
  const number = { type: "number" };
  const string = { type: "string" };
  const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
  const members = (schema: object) => {
    const { shapes, required } = textMembersOf(schema as Record<string, unknown>);
    return { shapes: Object.fromEntries(shapes), required: [...required] };
  };
  const shape = (schema: object) => new TextShapes({}).shapeOf(schema);

  it("reads the members of an object, and which are required", () => {
    expect(members(object({ a: integer, b: string }, ["a"]))).toEqual({
      shapes: { a: shape(integer), b: shape(string) },
      required: ["a"],
    });
  });

  it("follows a reference at the root and at members", () => {
    const schema = { $ref: "#/$defs/Query", $defs: { Query: object({ n: { $ref: "#/$defs/N" } }), N: integer } };
    expect(members(schema).shapes).toEqual({ n: shape(integer) });
  });

  it("adds up the members of a union, and requires what all of it requires", () => {
    const schema = { anyOf: [object({ a: integer, b: integer }, ["a", "b"]), object({ a: string }, ["a"])] };
    expect(members(schema)).toEqual({
      shapes: { a: shape({ type: ["integer", "string"] }), b: shape(integer) },
      required: ["a"],
    });
  });

  it("takes together the members of an intersection", () => {
    const schema = {
      allOf: [object({ a: number }, ["a"]), object({ a: integer, b: string }, ["b"])],
      ...object({ c: string }),
    };
    expect(members(schema)).toEqual({
      shapes: { c: shape(string), a: shape(integer), b: shape(string) },
      required: ["a", "b"],
    });
  });

  it("adds members that then and else name", () => {
    const schema = {
      ...object({ a: string }, ["a"]),
      if: {},
      then: object({ a: {}, b: integer }, ["b"]),
      else: object({ c: string }),
    };
    expect(members(schema)).toEqual({
      shapes: { a: shape(string), b: shape(integer), c: shape(string) },
      required: ["a"],
    });
  });

  it("reads the shapes of names that are like an expression, and of others", () => {
    const schema = {
      type: "object",
      patternProperties: { "^n-": integer, "\\-": number },
      additionalProperties: number,
    };
    const { patterns, others } = textMembersOf(schema);
    expect(patterns).toEqual([
      [/^n-/u, shape(integer)],
      [new RegExp("\\-"), shape(number)],
    ]);
    expect(others).toEqual(shape(number));
    expect(textMembersOf({ additionalProperties: false }).others).toEqual(shape({}));
  });

  it("stops where a schema holds itself", () => {
    expect(members({ allOf: [{ $ref: "#" }], ...object({ a: integer }) }).shapes).toEqual({ a: shape(integer) });
  });

  it("knows nothing of a schema without members", () => {
    expect(members({})).toEqual({ shapes: {}, required: [] });
  });
});
