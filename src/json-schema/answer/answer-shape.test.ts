import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { Type } from "@sinclair/typebox";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerShapesOf } from "./answer-shape-reading.ts";
import type { AnswerShape } from "./answer-shape.ts";
import { jsonSchemaOf, type StandardSchema } from "../shape/standard-schema.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });

/** A shape as text: `{ id: integer, name?: string }`, `[integer]`, `string | null`; `...` are other members. */
function textOf(shape: AnswerShape, open: readonly AnswerShape[] = []): string {
  if (open.includes(shape)) return "itself";
  const inner = (of: AnswerShape): string => textOf(of, [...open, shape]);
  switch (shape.kind) {
    case "constant":
      return [...shape.of].map((value) => JSON.stringify(value)).join(" | ");
    case "list":
      return `[${[...shape.of.first.map(inner), `...${inner(shape.of.items)}`].join(", ")}]`;
    case "object": {
      const members = shape.of.members.map(
        ({ name, isRequired, shape: of }) => `${name}${isRequired ? "" : "?"}: ${inner(of)}`,
      );
      for (const [expression, of] of shape.of.patterns) members.push(`${expression}: ${inner(of)}`);
      if (shape.of.others !== null) members.push(`...: ${inner(shape.of.others)}`);
      return `{ ${members.join(", ")} }`;
    }
    case "union": {
      const by = shape.of.discriminator === null ? "" : ` by ${shape.of.discriminator.name}`;
      return `(${shape.of.branches.map(inner).join(" | ")}${by})`;
    }
    default:
      return shape.kind;
  }
}

const shown = (schema: object): [string, boolean] => {
  const { root, isPartial } = answerShapesOf(schema as Record<string, unknown>);
  return [textOf(root), isPartial];
};

describe("answerShapesOf()", () => {
  it.each<[object, string]>([
    [{ not: {} }, "nothing"],
    [{ ...string, format: "email", maxLength: 5 }, "string"],
    [{ type: ["string", "null"] }, "(string | null)"],
    [{ ...integer, nullable: true }, "(integer | null)"],
    [{ ...string, anyOf: [{ $ref: "#" }] }, "string"],
    [{ const: 1 }, "1"],
    [{ ...string, enum: ["a", null] }, '"a"'],
    [{ type: ["string", "null"], enum: ["a", null, 1] }, '"a" | null'],
    [{ type: "array", items: integer }, "[...integer]"],
    [{ type: "array" }, "[...any]"],
    [{ type: "array", prefixItems: [integer], items: string }, "[integer, ...string]"],
    [{ type: "array", items: [integer], additionalItems: string }, "[integer, ...string]"],
    [{ items: integer }, "[...integer]"],
    [object({ a: integer, b: string }, ["a"]), "{ a: integer, b?: string }"],
    [{ ...object({ a: integer }), additionalProperties: false }, "{ a?: integer }"],
    [{ ...object({ a: integer }), additionalProperties: true }, "{ a?: integer, ...: any }"],
    [{ ...object({}), additionalProperties: string }, "{ ...: string }"],
    [{ ...object({}), unevaluatedProperties: string }, "{ ...: string }"],
    [{ type: "object", patternProperties: { "^a": string } }, "{ /^a/u: string }"],
    [{ type: "object", propertyNames: string }, "{ ...: any }"],
    [{ type: "object" }, "{ ...: any }"],
    [object({}), "{  }"],
    [{ properties: { a: integer } }, "{ a?: integer }"],
    [{ ...object({}, ["a"]), additionalProperties: integer }, "{ a: integer, ...: integer }"],
    [object({ __proto__: null, a: integer }), "{ a?: integer }"],
    [object(JSON.parse('{"__proto__":{"type":"string"}}')), "{  }"],
  ])("shows all that %j says of types and members", (schema, text) => {
    expect(shown(schema)).toEqual([text, false]);
  });

  it.each<[string, object, string, boolean]>([
    ["of types", { anyOf: [string, integer, { type: "null" }] }, "(string | integer | null)", false],
    [
      "of a list, an object and null",
      { anyOf: [{ type: "array", items: integer }, object({ a: integer }), { type: "null" }] },
      "([...integer] | { a?: integer } | null)",
      false,
    ],
    ["of unions", { anyOf: [{ oneOf: [string, integer] }, string] }, "(string | integer)", false],
    ["of one", { anyOf: [string] }, "string", false],
    ["with a branch of nothing", { anyOf: [string, { not: {} }] }, "string", false],
    ["of anything and null", { anyOf: [true, { type: "null" }, string] }, "any", false],
    ["of what is not shown and null", { anyOf: [true, {}, { type: "null" }] }, "any", true],
    ["of anything and an object", { anyOf: [object({ a: integer }), {}] }, "({ a?: integer } | any)", true],
    [
      "of lists",
      {
        anyOf: [
          { type: "array", items: integer },
          { type: "array", items: string },
        ],
      },
      "([...integer] | [...string])",
      true,
    ],
    [
      "of objects",
      { anyOf: [object({ a: integer }, ["a"]), object({ b: string }, ["b"])] },
      "({ a: integer } | { b: string })",
      true,
    ],
    [
      "of objects that a constant tells apart",
      {
        oneOf: [
          object({ n: string, t: { const: "a" }, x: integer }, ["n", "t"]),
          object({ t: { enum: ["b", "c"] }, n: string }, ["n", "t"]),
        ],
      },
      '({ n: string, t: "a", x?: integer } | { n: string, t: "b" | "c" } by t)'.replace(
        '{ n: string, t: "b" | "c" }',
        '{ t: "b" | "c", n: string }',
      ),
      false,
    ],
    [
      "of objects with a constant that two of them have",
      { oneOf: [object({ t: { enum: ["a", "b"] } }, ["t"]), object({ t: { const: "b" } }, ["t"])] },
      '({ t: "a" | "b" } | { t: "b" })',
      true,
    ],
    [
      "of objects with a constant that may be missing",
      { oneOf: [object({ t: { const: "a" } }), object({ t: { const: "b" } })] },
      '({ t?: "a" } | { t?: "b" })',
      true,
    ],
  ])("shows a union %s", (_, schema, text, isPartial) => {
    expect(shown(schema)).toEqual([text, isPartial]);
  });

  it.each<[string, object, string, boolean]>([
    ["types", { allOf: [{ type: "number" }, integer] }, "integer", false],
    ["what cannot be", { allOf: [string, integer] }, "nothing", false],
    ["equal types", { allOf: [{ type: "string" }, { type: "string" }] }, "string", false],
    ["the same schema twice", { allOf: [object({ a: string }), object({ a: string })] }, "{ a?: string }", false],
    ["a number and an integer", { allOf: [integer, { type: "number" }] }, "integer", false],
    ["a type and constants", { allOf: [string, { enum: ["a", 1] }] }, '"a"', false],
    ["a type and other constants", { allOf: [string, { const: 1 }] }, "nothing", false],
    [
      "a list and a tuple",
      {
        allOf: [
          { type: "array", prefixItems: [{}, string] },
          { type: "array", prefixItems: [integer], items: {} },
        ],
      },
      "[integer, string, ...any]",
      true,
    ],
    [
      "a list and a longer tuple",
      {
        allOf: [
          { type: "array", items: integer },
          { type: "array", prefixItems: [{}, {}] },
        ],
      },
      "[integer, integer, ...integer]",
      false,
    ],
    ["a condition alone", { if: {}, then: object({ a: integer }, ["a"]) }, "{ a?: integer }", true],
    ["a condition on what is no object", { ...string, if: {}, then: object({ a: integer }) }, "string", true],
    [
      "a condition that names nothing",
      { ...object({ a: integer }), if: {}, then: { minProperties: 1 } },
      "{ a?: integer }",
      true,
    ],
    ["a name that is none", { ...object({}), required: [5] }, "{  }", false],
    ["a constraint", { allOf: [{ minLength: 1 }, string] }, "string", false],
    ["constants and a type", { allOf: [{ enum: ["a", 1] }, string] }, '"a"', false],
    [
      "a union and a type",
      { allOf: [{ anyOf: [string, integer] }, { anyOf: [integer, { type: "null" }] }] },
      "integer",
      false,
    ],
    [
      "lists",
      {
        allOf: [
          { type: "array", items: integer },
          { type: "array", prefixItems: [{ minimum: 1 }] },
        ],
      },
      "[integer, ...integer]",
      false,
    ],
    [
      "objects",
      {
        allOf: [
          { ...object({ a: integer }), additionalProperties: false },
          { ...object({ a: {}, b: string }, ["a", "b"]), additionalProperties: false },
        ],
      },
      "{ a: integer, b: string }",
      false,
    ],
    [
      "an object that says nothing of its members",
      { type: "object", allOf: [object({ a: integer })] },
      "{ a?: integer }",
      false,
    ],
    [
      "a reference and what is beside it",
      { $ref: "#/$defs/A", properties: { b: string }, $defs: { A: object({ a: integer }) } },
      "{ b?: string, a?: integer }",
      false,
    ],
    [
      "what is required of an object in either of two ways",
      { ...object({ a: integer, b: integer }), anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      "({ a: integer, b?: integer } | { a?: integer, b: integer })",
      true,
    ],
    [
      "what holds on a condition",
      { ...object({ a: integer }), if: {}, then: object({ b: string }, ["b"]), else: { required: ["a"] } },
      "{ a?: integer, b?: string }",
      true,
    ],
    [
      "what depends on another member",
      { ...object({ a: integer }), dependentSchemas: { a: object({ b: string }) } },
      "{ a?: integer, b?: string }",
      true,
    ],
  ])("shows together %s", (_, schema, text, isPartial) => {
    expect(shown(schema)).toEqual([text, isPartial]);
  });

  it.each<[string, object]>([
    ["a constant that is an object", { const: { a: 1 } }],
    ["a dynamic reference", { $dynamicRef: "#node" }],
  ])("is partial for %s", (_, schema) => {
    expect(shown(schema)).toEqual(["any", true]);
  });

  it.each<[object, string]>([
    [{}, "any"],
    [{ description: "any" }, "any"],
    [{ type: "Date" }, "any"],
    [{ allOf: [true, { minLength: 1 }] }, "any"],
    [{ type: "array", items: {} }, "[...any]"],
    [{ ...object({ a: integer }), additionalProperties: {} }, "{ a?: integer, ...: any }"],
  ])("is partial for %j, which does not show a part", (schema, text) => {
    expect(shown(schema)).toEqual([text, true]);
  });

  it("shows what holds itself as what does", () => {
    const node = object({ value: integer, next: { $ref: "#" } }, ["value"]);
    expect(shown(node)).toEqual(["{ value: integer, next?: itself }", false]);
    expect(
      shown({
        $ref: "#/$defs/Tree",
        $defs: { Tree: object({ nodes: { type: "array", items: { $ref: "#/$defs/Tree" } } }) },
      }),
    ).toEqual(["{ nodes?: [...itself] }", false]);
    const more = object({ next: { allOf: [{ $ref: "#/$defs/Node" }, object({ b: integer })] } });
    const joined = {
      $ref: "#/$defs/Node",
      $defs: { Node: { allOf: [object({ a: integer, next: object({}) }), more] } },
    };
    expect(shown(joined)).toEqual(["{ a?: integer, next?: { a?: integer, next?: itself, b?: integer } }", false]);
    const endless = {
      $ref: "#/$defs/A",
      $defs: {
        A: { allOf: [object({ n: { $ref: "#/$defs/A" } }), object({ n: { $ref: "#/$defs/B" } })] },
        B: object({ n: { $ref: "#/$defs/B" }, b: integer }),
      },
    };
    expect(shown(endless)).toEqual(["{ n?: { n?: itself, b?: integer } }", false]);
    expect(shown({ anyOf: [string, { $ref: "#" }] })[0]).toBe("string");
    expect(shown({ allOf: [{ $ref: "#" }, object({ a: integer })] })).toEqual(["{ a?: integer }", false]);
  });

  it.each<[string, StandardSchema]>([
    ["zod", z.object({ id: z.int(), name: z.string().nullable(), at: z.date().optional(), tags: z.array(z.string()) })],
    [
      "Valibot",
      toStandardJsonSchema(
        v.object({
          id: v.pipe(v.number(), v.integer()),
          name: v.nullable(v.string()),
          at: v.optional(v.date()),
          tags: v.array(v.string()),
        }),
      ),
    ],
  ])("shows all of an object of %s", (_, schema) => {
    expect(shown(jsonSchemaOf(schema, "output")!)).toEqual([
      "{ id: integer, name: (string | null), at?: any, tags: [...string] }",
      true,
    ]);
  });

  it("shows all of an object of ArkType and of TypeBox", () => {
    const ofArkType = type({ id: "number.integer", name: "string | null", "at?": "Date", tags: "string[]" });
    expect(shown(jsonSchemaOf(ofArkType, "output")!)).toEqual([
      "{ id: integer, name: (string | null), tags: [...string], at?: any }",
      true,
    ]);
    const ofTypeBox = Type.Object({
      id: Type.Integer(),
      name: Type.Union([Type.String(), Type.Null()]),
      more: Type.Record(Type.String(), Type.Number()),
    });
    expect(shown(ofTypeBox)).toEqual(["{ id: integer, name: (string | null), more: { /^(.*)$/u: number } }", false]);
  });

  it("distinguishes the objects of a union with zod and Valibot", () => {
    const ofZod = z.discriminatedUnion("t", [
      z.object({ t: z.literal("a") }),
      z.object({ t: z.literal("b"), n: z.int() }),
    ]);
    expect(shown(jsonSchemaOf(ofZod, "output")!)).toEqual(['({ t: "a" } | { t: "b", n: integer } by t)', false]);
    const ofValibot = v.variant("t", [v.object({ t: v.literal("a") }), v.object({ t: v.literal("b") })]);
    expect(shown(jsonSchemaOf(toStandardJsonSchema(ofValibot), "output")!)).toEqual([
      '({ t: "a" } | { t: "b" } by t)',
      false,
    ]);
  });
});
