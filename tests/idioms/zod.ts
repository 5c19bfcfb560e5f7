import { expect } from "vitest";
import { z } from "zod";
import type { Idiom } from "./idiom.ts";

const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 };
const object = (properties: object, required: string[] = Object.keys(properties)): object =>
  required.length === 0 ? { type: "object", properties } : { type: "object", properties, required };
const v = <Schema extends z.ZodType>(schema: Schema): z.ZodObject<{ v: Schema }> => z.object({ v: schema });

const a = z.object({ kind: z.literal("a"), n: z.number() });
const b = z.object({ kind: z.literal("b"), s: z.string() });
const shownA = object({ kind: { type: "string", const: "a" }, n: number });
const shownB = object({ kind: { type: "string", const: "b" }, s: text });

interface Tree {
  name: string;
  children: Tree[];
}
const tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get children() {
    return z.array(tree);
  },
});

export const rows: readonly Idiom[] = [
  {
    idiom: "catch",
    by: "query",
    schema: v(z.int().min(1).catch(1)),
    takes: [
      ["v=5", { v: 5 }],
      ["v=x", { v: 1 }],
      ["v=-5", { v: 1 }],
      ["", { v: 1 }],
      ["v=1&v=2", { v: 1 }],
    ],
    refuses: [],
    document: { ...integer, minimum: 1, default: 1 },
  },
  {
    idiom: "default",
    by: "query",
    schema: v(z.int().default(7)),
    takes: [
      ["v=5", { v: 5 }],
      ["", { v: 7 }],
    ],
    refuses: [["v=x", "#/v"]],
    document: { ...integer, default: 7 },
  },
  {
    idiom: "default",
    by: "content",
    schema: v(z.string().default("x")),
    takes: [
      [{}, { v: "x" }],
      [{ v: "y" }, { v: "y" }],
    ],
    refuses: [
      [{ v: null }, "#/v"],
      [{ v: 1 }, "#/v"],
    ],
    document: object({ v: { ...text, default: "x" } }, []),
  },
  {
    idiom: "prefault",
    by: "content",
    schema: v(z.string().toUpperCase().prefault("x")),
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
    schema: v(z.coerce.number()),
    takes: [["v=5.5", { v: 5.5 }]],
    refuses: [
      ["v=x", "#/v"],
      ["", "#/v"],
    ],
    document: number,
  },
  {
    idiom: "codec",
    by: "content",
    schema: v(z.codec(z.iso.datetime(), z.date(), { decode: (at) => new Date(at), encode: (at) => at.toISOString() })),
    takes: [[{ v: "2027-01-31T00:00:00Z" }, { v: new Date("2027-01-31T00:00:00Z") }]],
    refuses: [[{ v: "today" }, "#/v"]],
    document: object({ v: expect.objectContaining({ type: "string", format: "date-time" }) }),
  },
  {
    idiom: "codec",
    by: "answer",
    schema: v(z.codec(z.string(), z.date(), { decode: (at) => new Date(at), encode: (at) => at.toISOString() })),
    message: "has a codec in 200, which would be decoded; write the schema of what the handler returns",
  },
  {
    idiom: "stringbool",
    by: "query",
    schema: v(z.stringbool()),
    takes: [
      ["v=yes", { v: true }],
      ["v=off", { v: false }],
      ["v=1", { v: true }],
    ],
    refuses: [["v=maybe", "#/v"]],
    document: text,
  },
  {
    idiom: "date",
    by: "content",
    schema: v(z.date()),
    message: "write a schema that reads text, such as z.coerce.date()",
  },
  {
    idiom: "date",
    by: "query",
    schema: v(z.coerce.date()),
    takes: [["v=2027-01-31", { v: new Date("2027-01-31") }]],
    refuses: [["v=never", "#/v"]],
    document: { type: "string", format: "date-time" },
  },
  {
    idiom: "date",
    by: "answer",
    schema: v(z.date()),
    writes: [
      [{ v: new Date(0) }, { v: "1970-01-01T00:00:00.000Z" }],
      [{ v: "1970-01-01" }, null],
    ],
    document: object({ v: { type: "string", format: "date-time" } }),
  },
  { idiom: "bigint", by: "content", schema: v(z.bigint()), message: 'has a date or a bigint for "v" of content' },
  {
    idiom: "bigint",
    by: "answer",
    schema: v(z.bigint()),
    message: "write z.string() or z.int(), or .transform(String)",
  },
  {
    idiom: "union",
    by: "content",
    schema: v(z.union([z.object({ n: z.number() }), z.object({ s: z.string() })])),
    takes: [
      [{ v: { n: 1 } }, { v: { n: 1 } }],
      [{ v: { s: "x" } }, { v: { s: "x" } }],
    ],
    refuses: [
      [{ v: { n: "1" } }, "#/v/n"],
      [{ v: {} }, "#/v"],
    ],
    document: object({ v: { anyOf: [object({ n: number }), object({ s: text })] } }),
  },
  {
    idiom: "union",
    by: "query",
    schema: v(z.union([z.int(), z.literal("all")])),
    takes: [
      ["v=5", { v: 5 }],
      ["v=all", { v: "all" }],
    ],
    refuses: [["v=x", "#/v"]],
    document: { anyOf: [integer, { type: "string", const: "all" }] },
  },
  {
    idiom: "union",
    by: "answer",
    schema: z.union([z.looseObject({ n: z.number() }), z.record(z.string(), z.number())]),
    writes: [
      [
        { n: 1, more: 2 },
        { n: 1, more: 2 },
      ],
      [{ n: "1" }, null],
    ],
    document: {
      anyOf: [
        { ...object({ n: number }), additionalProperties: { description: "Any value" } },
        { type: "object", propertyNames: text, additionalProperties: number },
      ],
    },
  },
  {
    idiom: "discriminated union",
    by: "content",
    schema: z.discriminatedUnion("kind", [a, b]),
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
    idiom: "discriminated union",
    by: "answer",
    schema: z.discriminatedUnion("kind", [a, b]),
    writes: [
      [
        { kind: "b", s: "x", n: 1 },
        { kind: "b", s: "x" },
      ],
      [{ kind: "c" }, null],
    ],
    document: { oneOf: [shownA, shownB], discriminator: { propertyName: "kind" } },
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
    document: object({
      name: text,
      children: { type: "array", items: { $ref: "#/components/schemas/ThingPOSTcontent" } },
    }),
  },
  {
    idiom: "readonly",
    by: "content",
    schema: v(z.array(z.string()).readonly()),
    takes: [[{ v: ["x"] }, { v: ["x"] }]],
    refuses: [[{ v: "x" }, "#/v"]],
    document: object({ v: { type: "array", items: text } }),
  },
  {
    idiom: "intersection",
    by: "content",
    schema: z.intersection(z.object({ n: z.number() }), z.object({ s: z.string() })),
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
    idiom: "intersection",
    by: "answer",
    schema: z.intersection(z.object({ n: z.number() }), z.object({ s: z.string() })),
    writes: [
      [
        { n: 1, s: "x", more: 1 },
        { n: 1, s: "x" },
      ],
    ],
    document: object({ n: number, s: text }),
  },
  {
    idiom: "file",
    by: "form",
    schema: v(z.file().max(5)),
    takes: [[{ v: new File(["abc"], "a.txt") }, { v: expect.any(File) }]],
    refuses: [
      [{ v: new File(["abcdefg"], "a.txt") }, "#/v"],
      [{ v: "text" }, "#/v"],
    ],
    document: object({ v: expect.objectContaining({ type: "string", format: "binary" }) }),
  },
];
