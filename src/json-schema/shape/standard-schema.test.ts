import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { isSchema, jsonSchemaOf, type InferInput, type InferOutput, type StandardSchema } from "./standard-schema.ts";

describe("Schema", () => {
  it("takes schemas of zod, Valibot and ArkType, with the types of both sides", () => {
    const ofZod = z.object({ n: z.string().transform(Number) });
    const ofValibot = v.object({ n: v.pipe(v.string(), v.transform(Number)) });
    const ofArkType = type({ n: "string.numeric.parse" });
    const schemas: StandardSchema[] = [ofZod, ofValibot, toStandardJsonSchema(ofValibot), ofArkType];
    expect(schemas.every(isSchema)).toBe(true);
    expectTypeOf<InferInput<typeof ofZod>>().toEqualTypeOf<{ n: string }>();
    expectTypeOf<InferOutput<typeof ofZod>>().toEqualTypeOf<{ n: number }>();
    expectTypeOf<InferOutput<typeof ofValibot>>().toEqualTypeOf<{ n: number }>();
    expectTypeOf<InferOutput<typeof ofArkType>>().toEqualTypeOf<{ n: number }>();
  });
});

describe("isSchema()", () => {
  it.each([
    ["undefined", undefined],
    ["null", null],
    ["a string", "~standard"],
    ["a JSON Schema", { type: "object" }],
    ["a function", () => true],
    ["an object whose ~standard is no object", { "~standard": true }],
    ["an object that cannot validate", { "~standard": { version: 1, vendor: "x" } }],
  ])("refuses %s", (_, value) => {
    expect(isSchema(value)).toBe(false);
  });
});

describe("jsonSchemaOf()", () => {
  const integer = { type: "integer" };

  it.each<[string, StandardSchema]>([
    ["zod", z.object({ n: z.int(), d: z.date(), b: z.bigint(), m: z.map(z.string(), z.int()), c: z.instanceof(URL) })],
    [
      "Valibot",
      toStandardJsonSchema(
        v.object({ n: whole(), d: v.date(), b: v.bigint(), m: v.set(v.string()), c: v.instance(URL) }),
      ),
    ],
    ["ArkType", type({ n: "number.integer", d: "Date", b: "bigint", m: "Map", c: "URL" })],
  ])("C8.15 keeps the types of a date's neighbors with %s", (_, schema) => {
    for (const side of ["input", "output"] as const) {
      expect(jsonSchemaOf(schema, side)).toMatchObject({ type: "object", properties: { n: integer } });
      const { properties } = jsonSchemaOf(schema, side) as { properties: Record<string, object> };
      for (const name of ["d", "b", "m", "c"]) expect(properties[name], name).toEqual({});
    }
  });

  it.each<[string, StandardSchema]>([
    ["zod", z.object({ n: z.string().transform(Number), d: z.string().default("x") })],
    [
      "Valibot",
      toStandardJsonSchema(v.object({ n: v.pipe(v.string(), v.transform(Number)), d: v.optional(v.string(), "x") })),
    ],
    ["ArkType", type({ n: type("string").pipe((text) => Number(text)), d: "string = 'x'" })],
  ])("C8.17 tells input from output with %s", (_, schema) => {
    const text = { type: "string" };
    expect(jsonSchemaOf(schema, "input")).toMatchObject({ properties: { n: text, d: text }, required: ["n"] });
    expect((jsonSchemaOf(schema, "output") as { properties: object }).properties).toMatchObject({ n: {}, d: text });
    expect((jsonSchemaOf(schema, "output") as { properties: { n: object } }).properties.n).toEqual({});
  });

  it("keeps the type where Valibot's transformation keeps it", () => {
    const schema = toStandardJsonSchema(
      v.object({ s: v.pipe(v.string(), v.trim()), n: v.pipe(whole(), v.brand("n")) }),
    );
    expect(jsonSchemaOf(schema, "output")).toMatchObject({ properties: { s: { type: "string" }, n: integer } });
  });

  it("returns undefined for a library without JSON Schema", () => {
    expect(jsonSchemaOf(v.object({ n: v.number() }), "input")).toBeUndefined();
  });

  it("returns undefined if a library throws for all it is asked, or returns no object", () => {
    const throwing = () => {
      throw new Error("cannot");
    };
    expect(jsonSchemaOf(schemaWith({ input: throwing, output: throwing }), "input")).toBeUndefined();
    expect(
      jsonSchemaOf(schemaWith({ input: () => [] as never, output: () => null as never }), "output"),
    ).toBeUndefined();
  });

  it("asks for an older JSON Schema where a library does not know the newest", () => {
    const asked: string[] = [];
    const convert: JsonSchemaConverter["input"] = ({ target }) => {
      asked.push(target);
      if (target !== "openapi-3.0") throw new Error("Unknown target");
      return integer;
    };
    expect(jsonSchemaOf(schemaWith({ input: convert, output: convert }), "input")).toBe(integer);
    expect(asked).toEqual(["draft-2020-12", "draft-07", "openapi-3.0"]);
  });

  it("does without options where a version of a library refuses them", () => {
    const convert: JsonSchemaConverter["input"] = ({ libraryOptions }) => {
      if (libraryOptions !== undefined) throw new Error("Unknown option");
      return integer;
    };
    expect(jsonSchemaOf(schemaWith({ input: convert, output: convert }, "zod"), "output")).toBe(integer);
  });

  it("ends where a schema of zod inside of itself has a default that throws, and keeps the types around it", () => {
    const leaf = z.int().default(thrown);
    const tree: z.ZodType = z.object({
      leaf,
      other: leaf,
      size: z.int(),
      get all() {
        return z.array(tree).optional();
      },
    });
    const described = { type: "object", properties: { leaf: {}, other: {}, size: { type: "integer" } } };
    const all = { type: "array", items: {} };
    expect(jsonSchemaOf(tree, "input")).toMatchObject({ ...described, properties: { ...described.properties, all } });
  });

  it("does not convert before it is called", () => {
    const schema = z.object({
      get next() {
        return schema.optional();
      },
    });
    expect(jsonSchemaOf(schema, "output")).toMatchObject({ properties: { next: { $ref: "#" } } });
  });

  it("returns undefined where ~standard itself throws", () => {
    const schema = {
      get "~standard"(): never {
        throw new Error("gone");
      },
    };
    expect(jsonSchemaOf(schema, "input")).toBeUndefined();
  });
});

const whole = () => v.pipe(v.number(), v.integer());

type JsonSchemaConverter = NonNullable<StandardSchema["~standard"]["jsonSchema"]>;

function schemaWith(jsonSchema: JsonSchemaConverter, vendor = "own"): StandardSchema {
  return { "~standard": { version: 1, vendor, validate: (value) => ({ value }), jsonSchema } };
}

function thrown(): never {
  throw new Error("no default");
}
