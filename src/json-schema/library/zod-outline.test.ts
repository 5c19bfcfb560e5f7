import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import type { StandardSchema } from "../shape/standard-schema.ts";
import { isPlainlyCarried, isPlainlyWritten, outlineOf } from "./zod-outline.ts";

const thrown = (): never => {
  throw new Error("no default");
};

describe("outlineOf()", () => {
  it("has zod make nothing for a schema but for the first one of its class", () => {
    const [first, second] = [z.object({ a: z.string() }), z.object({ a: z.string() })];
    expect([first, second].map((schema) => outlineOf(schema)?.names)).toEqual([["a"], ["a"]]);
    expect(["meta", "~standard"].filter((name) => Object.hasOwn(second, name))).toEqual([]);
  });

  it("knows a member of zod/mini, of which the same registry holds what is said", () => {
    expect(outlineOf(z.object({ a: mini.string() }))?.names).toEqual(["a"]);
    const said = mini.string().register(z.globalRegistry, { type: "array" });
    expect(outlineOf(z.object({ a: said }))).toBeNull();
  });

  it("names the members of an object, and those that have to be there", () => {
    const schema = z.object({
      id: z.coerce.number().int().min(1),
      name: z.string().optional(),
      tags: z.array(z.enum(["a", "b"])).default([]),
      since: z.iso.date().nullable(),
    });
    expect(outlineOf(schema)).toEqual({ names: ["id", "name", "tags", "since"], required: ["id", "since"] });
  });

  it("knows lists of what may be null, or one of several", () => {
    expect(outlineOf(z.object({ a: z.array(z.iso.date().nullable()) }))).not.toBeNull();
    expect(outlineOf(z.object({ a: z.array(z.union([z.int(), z.date()])) }))).toBeNull();
  });

  it("knows an object that refuses names, or takes texts of others", () => {
    expect(outlineOf(z.strictObject({ a: z.string() }))).not.toBeNull();
    expect(outlineOf(z.object({ a: z.string() }).catchall(z.int()))).not.toBeNull();
    expect(outlineOf(z.object({ a: z.string() }).catchall(z.date()))).toBeNull();
  });

  it.each<[string, StandardSchema]>([
    ["text", z.string()],
    ["an object around which something is", z.object({}).optional()],
    ["a member that is an object", z.object({ a: z.object({}) })],
    ["a list of lists", z.object({ a: z.array(z.array(z.string())) })],
    ["a list that is also in a list", z.object(twice(z.array(z.string())))],
    ["a date", z.object({ a: z.coerce.date() })],
    ["a default that throws", z.object({ a: z.string().default(thrown) })],
    ["a default that no JSON holds", z.object({ a: z.string().prefault(() => undefined as never) })],
    ["a shape that throws", withoutShape()],
    ["schemas without a conversion", mini.object({ a: mini.string() })],
    ["no schema of zod", { "~standard": { version: 1, vendor: "other", validate: (value) => ({ value }) } }],
  ])("leaves %s to the conversion", (_, schema) => {
    expect(outlineOf(schema)).toBeNull();
  });
});

function withoutShape(): StandardSchema {
  return z.object({
    get a(): z.ZodString {
      return thrown();
    },
  });
}

function twice(list: z.ZodType): z.ZodRawShape {
  return { a: list, b: z.array(list) };
}

describe("isPlainlyCarried()", () => {
  it.each<[string, StandardSchema]>([
    ["objects in lists", z.array(z.object({ a: z.string().trim().min(1).regex(/a/) }))],
    ["records and tuples", z.record(z.string(), z.tuple([z.int(), z.boolean()], z.null()))],
    ["a tuple without others", z.tuple([z.string()])],
    ["unions", z.union([z.literal(["a", 1, null]), z.object({ a: z.string() }), z.number().multipleOf(2)])],
    ["an object that holds itself", tree()],
    ["anything", z.looseObject({ a: z.unknown(), b: z.any() })],
    ["functions that judge what has a type", z.object({ a: z.string() }).refine(() => true)],
    ["words about it", z.string().meta({ id: "outlined", title: "A", examples: ["a"], "x-of": { a: 1 } })],
    ["words about what it was before", z.string().meta({ id: "before" }).min(1).describe("After")],
    ["an object of constants", z.object({ a: z.literal(true).readonly(), b: z.nonoptional(z.int().optional()) })],
  ])("knows %s", (_, schema) => {
    expect(isPlainlyCarried(schema)).toBe(true);
  });

  it.each<[string, StandardSchema]>([
    ["anything that a function judges", z.object({ a: z.any() }).refine(() => true)],
    ["anything in a union", z.union([z.object({ a: z.unknown() }), z.string()])],
    ["constants that no JSON holds", z.array(z.literal([1n, 2n]))],
    ["numbers of an enum that no JSON holds", z.enum({ a: "a", b: Number.NaN as never })],
    ["names of a record that are no texts", z.record(z.enum(["a"]), z.string())],
    ["words that say a type", z.string().meta({ type: "integer" })],
    ["words that no JSON holds", z.string().meta({ examples: [1n] })],
    ["a conversion of its own", withConversion(z.string())],
    ["two of one id", z.tuple([z.string().meta({ id: "twice" }), z.int().meta({ id: "twice" })])],
    ["checks of others", z.string().check({ _zod: { def: { check: "other" }, onattach: [], check() {} } } as never)],
    ["files", z.object({ a: z.file() })],
    ["what is no schema", z.array({} as never)],
    ["a list of nothing", z.array(undefined as never)],
    ["transformations", z.string().transform(Number)],
  ])("leaves %s to the conversion", (_, schema) => {
    expect(isPlainlyCarried(schema)).toBe(false);
  });
});

function tree(): StandardSchema {
  const schema: z.ZodType = z.object({
    get all() {
      return z.array(schema);
    },
  });
  return schema;
}

function withConversion(schema: z.ZodType): StandardSchema {
  // oxlint-disable-next-line no-underscore-dangle -- what zod calls its internals
  schema._zod.toJSONSchema = () => ({ type: "integer" });
  return schema;
}

describe("isPlainlyWritten()", () => {
  it.each<[string, StandardSchema]>([
    ["dates, and what is made of them", z.object({ at: z.date(), year: z.date().transform(String) })],
    ["a pipe by its end", z.bigint().pipe(z.transform(String)).pipe(z.string())],
  ])("knows %s", (_, schema) => {
    expect(isPlainlyWritten(schema)).toBe(true);
  });

  it.each<[string, StandardSchema]>([
    ["a bigint", z.array(z.bigint())],
    ["a codec", z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: String })],
    ["what falls back", z.string().catch("a")],
    ["what is made later", z.lazy(() => z.string())],
  ])("leaves %s to the conversion", (_, schema) => {
    expect(isPlainlyWritten(schema)).toBe(false);
  });
});
