// Idioms of JSON Schema itself, which Ajv and TypeBox share: each says how it makes a schema of one.
import { jsonSchema, type SchemaCheck, type StandardSchema } from "fingerpost";
import { expect } from "vitest";
import type { Idiom } from "./idiom.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schemas of the idioms, as a library writes them. */
export interface RawSchemas {
  readonly text: JsonSchema;
  readonly integer: JsonSchema;
  readonly union: JsonSchema;
  readonly loose: JsonSchema;
  readonly discriminated: JsonSchema;
  readonly recursive: JsonSchema;
  readonly readOnly: JsonSchema;
  readonly intersection: JsonSchema;
  readonly withDefault: JsonSchema;
  readonly object: (properties: Record<string, JsonSchema>) => JsonSchema;
}

/**
 * @param checkOf makes the check of a schema.
 * @param intersects whether the library has an error of an intersection besides those of its parts.
 */
export function rawRows(
  schemas: RawSchemas,
  checkOf: (schema: JsonSchema) => SchemaCheck,
  intersects = false,
): readonly Idiom[] {
  const made = (schema: JsonSchema): StandardSchema => jsonSchema(schema, checkOf(schema));
  const of = (schema: JsonSchema): StandardSchema => made(schemas.object({ v: schema }));
  /** As it is written, without what TypeBox marks its schemas by. */
  const shown = (schema: JsonSchema): unknown => JSON.parse(JSON.stringify(schema));
  return [
    { idiom: "catch", lacks: "JSON Schema has no fallback" },
    {
      idiom: "default",
      by: "content",
      schema: made(schemas.withDefault),
      takes: [
        [{}, { v: "x" }],
        [{ v: "y" }, { v: "y" }],
      ],
      refuses: [[{ v: 1 }, "#/v"]],
      document: shown(schemas.withDefault),
    },
    { idiom: "prefault", lacks: "JSON Schema does not transform" },
    {
      idiom: "coercion",
      by: "query",
      schema: of(schemas.integer),
      takes: [["v=5", { v: 5 }]],
      refuses: [
        ["v=x", "#/v"],
        ["v=5.5", "#/v"],
        ["", "#/v"],
      ],
      document: shown(schemas.integer),
    },
    { idiom: "codec", lacks: "JSON Schema does not transform" },
    { idiom: "stringbool", lacks: "JSON Schema does not transform" },
    {
      idiom: "date",
      by: "answer",
      schema: of({ ...schemas.text }),
      writes: [[{ v: "1970-01-01" }, { v: "1970-01-01" }]],
      document: shown(schemas.object({ v: schemas.text })),
    },
    { idiom: "bigint", lacks: "JSON Schema has no bigint" },
    {
      idiom: "union",
      by: "content",
      schema: of(schemas.union),
      takes: [[{ v: { s: "x" } }, { v: { s: "x" } }]],
      refuses: [
        [{ v: { n: "1" } }, "#/v/n"],
        [{ v: {} }, "#/v"],
      ],
      document: shown(schemas.object({ v: schemas.union })),
    },
    {
      idiom: "union",
      by: "answer",
      schema: made(schemas.loose),
      writes: [
        [
          { n: 1, more: 2 },
          { n: 1, more: 2 },
        ],
        [{ n: "1" }, null],
      ],
      document: expect.objectContaining({ anyOf: expect.any(Array) }),
    },
    {
      idiom: "discriminated union",
      by: "content",
      schema: made(schemas.discriminated),
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
      document: expect.objectContaining({
        anyOf: (shown(schemas.discriminated) as { anyOf: unknown }).anyOf,
        discriminator: { propertyName: "kind" },
      }),
    },
    {
      idiom: "discriminated union",
      by: "answer",
      schema: made(schemas.discriminated),
      writes: [
        [
          { kind: "b", s: "x", n: 1 },
          { kind: "b", s: "x" },
        ],
        [{ kind: "c" }, null],
      ],
      document: expect.objectContaining({
        anyOf: (shown(schemas.discriminated) as { anyOf: unknown }).anyOf,
        discriminator: { propertyName: "kind" },
      }),
    },
    {
      idiom: "recursive",
      by: "content",
      schema: made(schemas.recursive),
      takes: [
        [
          { name: "x", children: [{ name: "y", children: [] }] },
          { name: "x", children: [{ name: "y", children: [] }] },
        ],
      ],
      refuses: [[{ name: "x", children: [{ name: 1, children: [] }] }, "#/children/0/name"]],
      document: expect.objectContaining({
        properties: { name: { type: "string" }, children: { type: "array", items: { $ref: expect.any(String) } } },
      }),
    },
    {
      idiom: "readonly",
      by: "content",
      schema: made(schemas.readOnly),
      takes: [[{ v: "x" }, { v: "x" }]],
      refuses: [[{ v: 1 }, "#/v"]],
      document: shown(schemas.readOnly),
    },
    {
      idiom: "intersection",
      by: "content",
      schema: made(schemas.intersection),
      takes: [
        [
          { n: 1, s: "x" },
          { n: 1, s: "x" },
        ],
      ],
      refuses: [[{ n: "1", s: 1 }, "#/n", "#/s", ...(intersects ? ["#"] : [])]],
      document: expect.objectContaining({ allOf: (shown(schemas.intersection) as { allOf: unknown }).allOf }),
    },
    { idiom: "file", lacks: "JSON Schema has no file: form() takes one" },
  ];
}
