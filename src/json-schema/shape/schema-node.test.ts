import { describe, expect, it } from "vitest";
import { nodeOf, objectIn } from "./schema-node.ts";

describe("nodeOf()", () => {
  const kindsOf = (schema: unknown, root = {}) => nodeOf(schema, root).kinds;

  it.each<[string, unknown, readonly object[]]>([
    ["true", true, [{ kind: "any", isUnknown: false }]],
    ["false", false, [{ kind: "nothing" }]],
    ["a schema that says nothing", { title: "a" }, [{ kind: "any", isUnknown: true }]],
    ["an exclusion of some values", { not: { const: 1 } }, [{ kind: "any", isUnknown: true }]],
    ["types", { type: ["integer", "null"] }, [{ kind: "integer" }, { kind: "null" }]],
    ["a type that JSON does not have", { type: "Date" }, [{ kind: "foreign", type: "Date" }]],
    ["a list of draft-07", { type: "array", items: [1] }, [{ kind: "list", first: [1], rest: undefined }]],
    ["other items of draft-07", { items: [1], additionalItems: 2 }, [{ kind: "list", first: [1], rest: 2 }]],
    ["a list", { type: "array", prefixItems: [1], items: 2 }, [{ kind: "list", first: [1], rest: 2 }]],
    ["a list without a type", { prefixItems: [1] }, [{ kind: "list", first: [1], rest: undefined }]],
    ["a constant", { const: undefined }, [{ kind: "constant", values: [undefined] }]],
    ["a constant of another type", { type: "string", const: 1 }, [{ kind: "nothing" }]],
  ])("reads %s", (_, schema, kinds) => {
    expect(kindsOf(schema)).toEqual(kinds);
  });

  const values = ["a", 1, 1.5, true, null, [1], { a: 1 }];

  it.each([
    ["string", ["a"]],
    ["number", [1, 1.5]],
    ["integer", [1]],
    ["boolean", [true]],
    ["null", [null]],
    ["array", [[1]]],
    ["object", [{ a: 1 }]],
    ["bigint", values],
  ])("takes the constants of type %s", (type, fitting) => {
    expect(kindsOf({ type, enum: values })).toEqual([{ kind: "constant", values: fitting }]);
  });

  it("reads an object, with or without a type", () => {
    const schema = {
      properties: { a: 1 },
      required: ["a", "b", 3],
      patternProperties: { "^x-": 2 },
      propertyNames: 3,
      additionalProperties: false,
    };
    const read = {
      kind: "object",
      members: [["a", 1]],
      isNamed: true,
      required: new Set(["a", "b"]),
      patterns: [["^x-", 2]],
      names: 3,
      others: false,
    };
    expect(kindsOf(schema)).toEqual([read]);
    expect(kindsOf({ type: "object", ...schema })).toEqual([read]);
    expect(objectIn(nodeOf({ type: ["null", "object"], unevaluatedProperties: 1 }, {}))).toMatchObject({
      isNamed: false,
      others: 1,
    });
    expect(objectIn(nodeOf({ type: "string" }, {}))).toBeUndefined();
  });

  it("collects what holds besides", () => {
    const schema = {
      anyOf: [1],
      oneOf: [2, 3],
      allOf: [4],
      then: 5,
      else: 6,
      dependentSchemas: { a: 7 },
      nullable: true,
    };
    expect(nodeOf({ $ref: "#/$defs/a" }, { $defs: { a: schema } })).toMatchObject({
      schema,
      unions: [[1], [2, 3]],
      parts: [4],
      conditional: [5, 6, 7],
      isNullable: true,
    });
    expect(nodeOf({ anyOf: [] }, {})).toMatchObject({ unions: [], parts: [], conditional: [], isNullable: false });
  });
});
