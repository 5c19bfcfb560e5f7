import { scope, type } from "arktype";
import { expect } from "vitest";
import type { Idiom } from "./idiom.ts";

const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };
const object = (properties: object, required: string[] = Object.keys(properties)): object => ({
  type: "object",
  properties,
  required,
});

const union = type({ kind: "'a'", n: "number" }).or({ kind: "'b'", s: "string" });
const shown = {
  anyOf: [object({ kind: { const: "a" }, n: number }), object({ kind: { const: "b" }, s: text })],
  discriminator: { propertyName: "kind" },
};
const { tree } = scope({ tree: { name: "string", children: "tree[]" } }).export();

export const rows: readonly Idiom[] = [
  { idiom: "catch", lacks: "ArkType has no fallback" },
  {
    idiom: "default",
    by: "query",
    schema: type({ v: "number.integer = 7" }),
    takes: [
      ["v=5", { v: 5 }],
      ["", { v: 7 }],
    ],
    refuses: [["v=x", "#/v"]],
    // ArkType shows a default to the output side only.
    document: integer,
  },
  { idiom: "prefault", lacks: "a default of ArkType passes through the morphs after it" },
  {
    idiom: "coercion",
    by: "query",
    schema: type({ v: "string.numeric.parse" }),
    takes: [["v=5.5", { v: 5.5 }]],
    refuses: [
      ["v=x", "#/v"],
      ["", "#/v"],
    ],
    document: expect.objectContaining(text),
  },
  { idiom: "codec", lacks: "ArkType decodes only" },
  {
    idiom: "stringbool",
    by: "query",
    schema: type({ v: type("'yes' | 'no'").pipe((word) => word === "yes") }),
    takes: [
      ["v=yes", { v: true }],
      ["v=no", { v: false }],
    ],
    refuses: [["v=maybe", "#/v"]],
    document: { enum: ["no", "yes"] },
  },
  { idiom: "date", by: "content", schema: type({ v: "Date" }), message: "write a schema that reads text" },
  {
    idiom: "date",
    by: "query",
    schema: type({ v: "string.date.parse" }),
    takes: [["v=2027-01-31", { v: new Date("2027-01-31") }]],
    refuses: [["v=never", "#/v"]],
    document: expect.objectContaining(text),
  },
  {
    idiom: "date",
    by: "answer",
    schema: type({ v: "Date" }),
    writes: [
      [{ v: new Date(0) }, { v: "1970-01-01T00:00:00.000Z" }],
      [{ v: "1970-01-01" }, null],
    ],
    document: object({ v: { type: "string", format: "date-time" } }),
  },
  {
    idiom: "bigint",
    by: "content",
    schema: type({ v: "bigint" }),
    message: 'has a date or a bigint for "v" of content',
  },
  { idiom: "bigint", by: "answer", schema: type({ v: "bigint" }), message: "write z.string() or z.int()" },
  {
    idiom: "union",
    by: "content",
    schema: type({ v: type({ n: "number" }).or({ s: "string" }) }),
    takes: [[{ v: { s: "x" } }, { v: { s: "x" } }]],
    refuses: [
      [{ v: { n: "1" } }, "#/v/n"],
      [{ v: {} }, "#/v"],
    ],
    document: object({ v: { anyOf: [object({ n: number }), object({ s: text })] } }),
  },
  {
    idiom: "union",
    by: "answer",
    schema: type({ n: "number" }).or({ "[string]": "number" }),
    writes: [
      [
        { n: 1, more: 2 },
        { n: 1, more: 2 },
      ],
      [{ n: "1" }, null],
    ],
    document: { anyOf: [{ type: "object", additionalProperties: number }, object({ n: number })] },
  },
  {
    idiom: "discriminated union",
    by: "content",
    schema: union,
    takes: [
      [
        { kind: "a", n: 1 },
        { kind: "a", n: 1 },
      ],
    ],
    refuses: [
      [{ kind: "b", s: 1 }, "#/s"],
      [{ kind: "c" }, "#/kind"],
    ],
    document: shown,
  },
  {
    idiom: "discriminated union",
    by: "answer",
    schema: union,
    writes: [
      [
        { kind: "b", s: "x", n: 1 },
        { kind: "b", s: "x" },
      ],
      [{ kind: "c" }, null],
    ],
    document: shown,
  },
  {
    idiom: "recursive",
    by: "content",
    schema: tree,
    takes: [
      [
        { name: "x", children: [{ name: "y", children: [] }] },
        { name: "x", children: [{ name: "y", children: [] }] },
      ],
    ],
    refuses: [[{ name: "x", children: [{ name: 1, children: [] }] }, "#/children/0/name"]],
    document: object({ name: text, children: { $ref: expect.any(String) } }, ["children", "name"]),
  },
  {
    idiom: "readonly",
    by: "content",
    schema: type({ v: type("string[]").readonly() }),
    takes: [[{ v: ["x"] }, { v: ["x"] }]],
    refuses: [[{ v: "x" }, "#/v"]],
    document: object({ v: { type: "array", items: text } }),
  },
  {
    idiom: "intersection",
    by: "content",
    schema: type({ n: "number" }).and({ s: "string" }),
    takes: [
      [
        { n: 1, s: "x" },
        { n: 1, s: "x" },
      ],
    ],
    refuses: [[{ n: "1" }, "#/n", "#/s"]],
    document: object({ n: number, s: text }),
  },
  {
    idiom: "file",
    by: "form",
    schema: type({ v: "File" }),
    takes: [[{ v: new File(["abc"], "a.txt") }, { v: expect.any(File) }]],
    refuses: [[{ v: "text" }, "#/v"]],
    document: object({ v: { type: "string", format: "binary" } }),
  },
];
