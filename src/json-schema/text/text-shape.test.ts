import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextShapes, unknownText } from "./text-shape.ts";

describe("TextShapes.shapeOf()", () => {
  it.each<[string, unknown, object]>([
    ["nothing at all", undefined, { isUnknown: true }],
    ["the empty schema", {}, { isUnknown: true }],
    ["true", true, { isUnknown: true }],
    ["false", false, {}],
    ["a type that JSON does not have, as TypeBox names one", { type: "Date" }, { isUnknown: true }],
    ["a string", { type: "string", format: "date" }, { isString: true }],
    ["a number", { type: "number", minimum: 1 }, { number: "number" }],
    ["an integer", { type: "integer" }, { number: "integer" }],
    ["a boolean", { type: "boolean" }, { isBoolean: true }],
    ["null", { type: "null" }, { isNull: true }],
    ["an object", { type: "object", properties: {} }, { isObject: true }],
    ["several types", { type: ["string", "integer", "null"] }, { isString: true, number: "integer", isNull: true }],
    ["OpenAPI 3.0's nullable", { type: "integer", nullable: true }, { number: "integer", isNull: true }],
    ["a constant", { const: 1 }, { constants: new Set([1]) }],
    ["a constant with its type", { type: "number", const: 1 }, { constants: new Set([1]) }],
    ["a constant of another type", { type: "string", const: 1 }, {}],
    ["an enumeration", { enum: ["a", 1, true, null] }, { constants: new Set(["a", 1, true, null]) }],
    ["an enumeration with a type", { type: "string", enum: ["a", 1] }, { constants: new Set(["a"]) }],
    ["integers of an enumeration", { type: "integer", enum: [1, 1.5] }, { constants: new Set([1]) }],
    ["a constant that is an object", { const: { a: 1 } }, { isObject: true }],
    ["a list without items", { type: "array" }, { list: { first: [], rest: unknownText } }],
    ["a constant that is a list", { const: [1] }, { list: { first: [], rest: unknownText } }],
  ])("reads %s", (_, schema, expected) => {
    expect(new TextShapes({}).shapeOf(schema)).toEqual({ ...nothing, ...expected });
  });

  it("reads the items of a list, of draft-07 as well", () => {
    const [integer, string, boolean] = ["integer", "string", "boolean"].map((type) => ({ type }));
    const shapes = new TextShapes({});
    const list = (schema: object) => shapes.shapeOf({ type: "array", ...schema }).list;
    expect(list({ items: integer })).toEqual({ first: [], rest: shapes.shapeOf(integer) });
    const tuple = { first: [shapes.shapeOf(integer), shapes.shapeOf(string)], rest: shapes.shapeOf(boolean) };
    expect(list({ prefixItems: [integer, string], items: boolean })).toEqual(tuple);
    expect(list({ items: [integer, string], additionalItems: boolean })).toEqual(tuple);
  });

  it.each<[string, unknown, object]>([
    ["anyOf", { anyOf: [{ type: "integer" }, { type: "string" }] }, { number: "integer", isString: true }],
    ["oneOf", { oneOf: [{ type: "integer" }, { type: "number" }] }, { number: "number" }],
    ["a branch that is not known", { anyOf: [{ type: "integer" }, {}] }, { number: "integer", isUnknown: true }],
    ["a branch of nothing", { anyOf: [{ type: "integer" }, { not: {} }] }, { number: "integer" }],
    ["allOf", { allOf: [{ type: "number" }, { type: "integer" }] }, { number: "integer" }],
    ["allOf with a constraint only", { allOf: [{ minimum: 1 }, { type: "integer" }] }, { number: "integer" }],
    ["a type beside anyOf", { type: "string", anyOf: [{ minLength: 1 }, { pattern: "a" }] }, { isString: true }],
    [
      "constants beside a type",
      { allOf: [{ enum: ["a", 1, null] }, { type: ["string", "null"] }] },
      { constants: new Set(["a", null]) },
    ],
    ["two enumerations", { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] }, { constants: new Set(["b"]) }],
    [
      "booleans and what they are one of",
      { allOf: [{ type: "boolean" }, { const: true }] },
      { constants: new Set([true]) },
    ],
    ["a number and an integer", { allOf: [{ type: "number" }, { type: "integer" }] }, { number: "integer" }],
    ["an integer and a number", { allOf: [{ type: "integer" }, { type: "number" }] }, { number: "integer" }],
    ["two numbers", { allOf: [{ type: "number" }, { type: "number", minimum: 1 }] }, { number: "number" }],
  ])("joins %s", (_, schema, expected) => {
    expect(new TextShapes({}).shapeOf(schema)).toEqual({ ...nothing, ...expected });
  });

  it("joins the items of lists, place by place", () => {
    const shapes = new TextShapes({});
    const [integer, string] = ["integer", "string"].map((type) => ({ type }));
    const { list } = shapes.shapeOf({
      anyOf: [
        { type: "array", prefixItems: [integer], items: integer },
        { type: "array", items: string },
      ],
    });
    const both = { ...nothing, isString: true, number: "integer" };
    expect(list).toEqual({ first: [both], rest: both });
    const reversed = shapes.shapeOf({
      anyOf: [
        { type: "array", items: string },
        { type: "array", prefixItems: [integer], items: integer },
      ],
    });
    expect(reversed.list).toEqual(list);
    const narrowed = shapes.shapeOf({ allOf: [{ type: "array", items: integer }, { type: "array" }] });
    expect(narrowed.list).toEqual({ first: [], rest: shapes.shapeOf(integer) });
  });

  it("follows references, and stops where a schema holds itself", () => {
    const shapes = new TextShapes({
      $defs: { N: { type: "integer" }, Tree: { anyOf: [{ type: "string" }, { $ref: "#/$defs/Tree" }] } },
    });
    expect(shapes.shapeOf({ $ref: "#/$defs/N" })).toMatchObject({ number: "integer" });
    expect(shapes.shapeOf({ $ref: "#/$defs/Tree" })).toMatchObject({ isString: true, isUnknown: true });
  });

  it("takes steps in proportion to the schema, however often parts are referred to", () => {
    const $defs: Record<string, object> = { D0: { type: "integer" } };
    for (let at = 1; at < 200; at++) {
      const reference = { $ref: `#/$defs/D${at - 1}` };
      $defs[`D${at}`] = { anyOf: [reference, reference] };
    }
    expect(new TextShapes({ $defs }).shapeOf({ $ref: "#/$defs/D199" })).toMatchObject({ number: "integer" });
  });

  it("C8.15 does not depend on the order of branches", () => {
    const leaf = fc.constantFrom<object>(
      ...["string", "number", "integer", "boolean", "null", "object", "Date"].map((type) => ({ type })),
      ...["a", 1, true, null].map((value) => ({ const: value })),
      {},
      { not: {} },
      { type: "array", items: { type: "integer" } },
    );
    const branches = fc.array(leaf, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(branches, branches, fc.constantFrom("anyOf", "oneOf", "allOf"), (one, other, keyword) => {
        const shapeOf = (list: object[]) => new TextShapes({}).shapeOf({ [keyword]: [{ anyOf: other }, ...list] });
        expect(shapeOf(one.toReversed())).toEqual(shapeOf(one));
      }),
    );
  });
});

const nothing = {
  isUnknown: false,
  isString: false,
  number: null,
  isBoolean: false,
  isNull: false,
  isObject: false,
  list: null,
  constants: new Set(),
};
