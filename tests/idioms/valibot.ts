import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
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
const of = <Schema extends v.GenericSchema>(schema: Schema) => toStandardJsonSchema(v.object({ v: schema }));

const a = v.object({ kind: v.literal("a"), n: v.number() });
const b = v.object({ kind: v.literal("b"), s: v.string() });
const shownA = object({ kind: { const: "a" }, n: number });
const shownB = object({ kind: { const: "b" }, s: text });

interface Tree {
  name: string;
  children: Tree[];
}
const tree: v.GenericSchema<Tree> = v.object({ name: v.string(), children: v.array(v.lazy(() => tree)) });

export const rows: readonly Idiom[] = [
  {
    idiom: "catch",
    by: "query",
    schema: of(v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), 1)),
    takes: [
      ["v=5", { v: 5 }],
      ["v=x", { v: 1 }],
      ["v=-5", { v: 1 }],
    ],
    refuses: [],
    document: { ...integer, minimum: 1 },
  },
  {
    idiom: "default",
    by: "query",
    schema: of(v.optional(v.pipe(v.number(), v.integer()), 7)),
    takes: [
      ["v=5", { v: 5 }],
      ["", { v: 7 }],
    ],
    refuses: [["v=x", "#/v"]],
    document: { ...integer, default: 7 },
  },
  {
    idiom: "prefault",
    by: "content",
    schema: of(v.pipe(v.optional(v.string(), "x"), v.toUpperCase())),
    takes: [
      [{}, { v: "X" }],
      [{ v: "y" }, { v: "Y" }],
    ],
    refuses: [[{ v: 1 }, "#/v"]],
    document: object({ v: { ...text, default: "x" } }, []),
  },
  {
    idiom: "coercion",
    by: "query",
    schema: of(v.pipe(v.string(), v.transform(Number), v.number())),
    takes: [["v=5.5", { v: 5.5 }]],
    refuses: [
      ["v=x", "#/v"],
      ["", "#/v"],
    ],
    document: text,
  },
  { idiom: "codec", lacks: "Valibot decodes only" },
  {
    idiom: "stringbool",
    by: "query",
    schema: of(
      v.pipe(
        v.picklist(["yes", "no"]),
        v.transform((word) => word === "yes"),
      ),
    ),
    takes: [
      ["v=yes", { v: true }],
      ["v=no", { v: false }],
    ],
    refuses: [["v=maybe", "#/v"]],
    document: { type: "string", enum: ["yes", "no"] },
  },
  { idiom: "date", by: "content", schema: of(v.date()), message: "write a schema that reads text" },
  {
    idiom: "date",
    by: "query",
    schema: of(v.pipe(v.string(), v.toDate())),
    takes: [["v=2027-01-31", { v: new Date("2027-01-31") }]],
    refuses: [["v=never", "#/v"]],
    document: text,
  },
  {
    idiom: "date",
    by: "answer",
    schema: of(v.date()),
    writes: [
      [{ v: new Date(0) }, { v: "1970-01-01T00:00:00.000Z" }],
      [{ v: "1970-01-01" }, null],
    ],
    document: object({ v: { type: "string", format: "date-time" } }),
  },
  { idiom: "bigint", by: "content", schema: of(v.bigint()), message: 'has a date or a bigint for "v" of content' },
  { idiom: "bigint", by: "answer", schema: of(v.bigint()), message: "write z.string() or z.int()" },
  {
    idiom: "union",
    by: "content",
    schema: of(v.union([v.object({ n: v.number() }), v.object({ s: v.string() })])),
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
    schema: toStandardJsonSchema(v.union([v.looseObject({ n: v.number() }), v.record(v.string(), v.number())])),
    writes: [
      [
        { n: 1, more: 2 },
        { n: 1, more: 2 },
      ],
      [{ n: "1" }, null],
    ],
    document: {
      anyOf: [object({ n: number }), { type: "object", propertyNames: text, additionalProperties: number }],
    },
  },
  {
    idiom: "discriminated union",
    by: "content",
    schema: toStandardJsonSchema(v.variant("kind", [a, b])),
    takes: [
      [
        { kind: "a", n: 1, more: 2 },
        { kind: "a", n: 1 },
      ],
    ],
    refuses: [
      [{ kind: "b", s: 1 }, "#/s"],
      [{ kind: "c" }, "#/kind"],
    ],
    document: { oneOf: [shownA, shownB], discriminator: { propertyName: "kind" } },
  },
  {
    idiom: "recursive",
    by: "content",
    schema: toStandardJsonSchema(tree),
    takes: [
      [
        { name: "x", children: [{ name: "y", children: [] }] },
        { name: "x", children: [{ name: "y", children: [] }] },
      ],
    ],
    refuses: [[{ name: "x", children: [{ name: 1, children: [] }] }, "#/children/0/name"]],
    document: object({ name: text, children: { type: "array", items: { $ref: expect.any(String) } } }),
  },
  {
    idiom: "readonly",
    by: "content",
    schema: of(v.pipe(v.array(v.string()), v.readonly())),
    takes: [[{ v: ["x"] }, { v: ["x"] }]],
    refuses: [[{ v: "x" }, "#/v"]],
    document: object({ v: { type: "array", items: text } }),
  },
  {
    idiom: "intersection",
    by: "content",
    schema: toStandardJsonSchema(v.intersect([v.object({ n: v.number() }), v.object({ s: v.string() })])),
    takes: [
      [
        { n: 1, s: "x" },
        { n: 1, s: "x" },
      ],
    ],
    refuses: [[{ n: "1" }, "#/n", "#/s"]],
    document: { allOf: [object({ n: number }), object({ s: text })] },
  },
  {
    idiom: "file",
    by: "form",
    schema: of(v.pipe(v.file(), v.maxSize(5))),
    takes: [[{ v: new File(["abc"], "a.txt") }, { v: expect.any(File) }]],
    refuses: [
      [{ v: new File(["abcdefg"], "a.txt") }, "#/v"],
      [{ v: "text" }, "#/v"],
    ],
    document: object({ v: { type: "string", format: "binary" } }),
  },
];
