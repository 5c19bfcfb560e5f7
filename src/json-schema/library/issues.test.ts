import { FormatRegistry, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Ajv } from "ajv";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failuresOf, type Failure } from "./issues.ts";
import { jsonSchema } from "./raw-schema.ts";
import type { StandardIssue, StandardSchema } from "../shape/standard-schema.ts";

function failures(schema: StandardSchema, sent: unknown): Failure[] {
  const { vendor, validate } = schema["~standard"];
  const { issues = [] } = validate(sent) as { issues?: readonly StandardIssue[] };
  return failuresOf("content", { vendor, schema, sent, issues });
}

/** Pointer, detail and code. */
const told = (schema: StandardSchema, sent: unknown): string[][] =>
  failures(schema, sent).map(({ pointer, detail, code }) => [pointer, detail, ...(code === undefined ? [] : [code])]);

describe("failuresOf()", () => {
  it("keeps the messages of zod, with its codes", () => {
    const schema = z.strictObject({
      n: z.int().max(5),
      e: z.enum(["a", "b"]),
      s: z.string().min(3),
      l: z.array(z.number()),
    });
    expect(told(schema, { n: 6, e: "secret", s: "x", l: [1, "secret"], secret: 1 })).toEqual([
      ["#/n", "Too big: expected number to be <=5", "too_big"],
      ["#/e", 'Invalid option: expected one of "a"|"b"', "invalid_value"],
      ["#/s", "Too small: expected string to have >=3 characters", "too_small"],
      ["#/l/1", "Invalid input: expected number, received string", "invalid_type"],
      ["#/secret", "Expected no such member", "unrecognized_keys"],
    ]);
  });

  it("tells of a union of zod what the nearest branch lacks", () => {
    const plain = z.union([
      z.object({ kind: z.literal("a"), x: z.number() }),
      z.object({ kind: z.literal("b"), y: z.string(), z: z.string() }),
    ]);
    const lacksNumber = ["Invalid input: expected number, received string", "invalid_type"];
    expect(told(plain, { kind: "a", x: "1" })).toEqual([["#/x", ...lacksNumber]]);
    expect(told(z.object({ u: plain }), { u: { kind: "b", y: 1 } })).toEqual([
      ["#/u/y", "Invalid input: expected string, received number", "invalid_type"],
      ["#/u/z", "Invalid input: expected string, received undefined", "invalid_type"],
    ]);
    const byMembers = z.union([z.object({ x: z.number() }), z.object({ y: z.string() })]);
    expect(told(byMembers, { x: "1" })).toEqual([["#/x", ...lacksNumber]]);
    expect(told(byMembers, {})).toEqual([["#", "Fits none of the alternatives", "invalid_union"]]);
    expect(told(plain, 5)).toEqual([["#", "Expected object", "invalid_union"]]);
    expect(told(z.object({ u: z.union([z.string(), z.number()]) }), { u: true })).toEqual([
      ["#/u", "Expected string or number", "invalid_union"],
    ]);
    expect(told(z.union([z.string().refine(() => false), z.string().refine(() => false)]), "x")).toEqual([
      ["#", "Fits none of the alternatives", "invalid_union"],
    ]);
  });

  it("tells of a union of ArkType what the nearest branch lacks, and of the whole value no item", () => {
    const schema = type({ x: "number" }).or({ y: "string" });
    expect(told(schema, { x: "1" })).toEqual([["#/x", "must be a number", "domain"]]);
    expect(told(schema, {})).toEqual([["#", "Fits none of the alternatives", "union"]]);
    expect(told(type({ a: "number" }), 5)).toEqual([["#", "must be an object", "domain"]]);
    expect(told(type({ u: schema }), { u: { x: "1" } })).toEqual([["#/u/x", "must be a number", "domain"]]);
  });

  describe("of a union", () => {
    const object = (properties: Record<string, object>): object => ({
      type: "object",
      properties,
      required: Object.keys(properties),
    });
    const kinds = {
      anyOf: [
        object({ kind: { const: "a" }, x: { type: "number" } }),
        object({ kind: { const: "b" }, y: { $ref: "#/$defs/text" } }),
        { $ref: "#/$defs/c" },
      ],
      $defs: { text: { type: "string" }, c: object({ kind: { const: "c" }, z: { type: "boolean" } }) },
    };
    const ofAjv = object({ u: { $ref: "#/$defs/kinds" } });
    Object.assign(ofAjv, { $defs: { ...kinds.$defs, kinds: { anyOf: kinds.anyOf } } });
    const ofTypeBox = Type.Object({
      u: Type.Union([
        Type.Object({ kind: Type.Literal("a"), x: Type.Number() }),
        Type.Object({ kind: Type.Literal("b"), y: Type.String() }),
        Type.Object({ kind: Type.Literal("c"), z: Type.Boolean() }),
      ]),
    });
    const libraries: [string, StandardSchema][] = [
      [
        "zod",
        z.object({
          u: z.union([
            z.object({ kind: z.literal("a"), x: z.number() }),
            z.object({ kind: z.literal("b"), y: z.string() }),
            z.object({ kind: z.literal("c"), z: z.boolean() }),
          ]),
        }),
      ],
      [
        "Valibot",
        v.object({
          u: v.union([
            v.object({ kind: v.literal("a"), x: v.number() }),
            v.object({ kind: v.literal("b"), y: v.string() }),
            v.object({ kind: v.literal("c"), z: v.boolean() }),
          ]),
        }),
      ],
      ["Ajv", jsonSchema(ofAjv, new Ajv({ allErrors: true }).compile(ofAjv))],
      ["TypeBox", jsonSchema(ofTypeBox, (value) => Value.Errors(ofTypeBox, value))],
    ];

    it.each(libraries)(
      "tells with %s what the nearest branch lacks, and the member that tells branches apart",
      (_, schema) => {
        const placesOf = (u: unknown): string[] => [...new Set(told(schema, { u }).map(([pointer]) => pointer!))];
        expect(placesOf({ kind: "a", x: "1" })).toEqual(["#/u/x"]);
        expect(placesOf({ kind: "b", y: 1 })).toEqual(["#/u/y"]);
        expect(placesOf({ kind: "b" })).toEqual(["#/u/y"]);
        expect(placesOf({ kind: "c", z: 0 })).toEqual(["#/u/z"]);
        expect(placesOf({ kind: "d" })).toEqual(["#/u/kind"]);
        expect(placesOf({})).toEqual(["#/u/kind"]);
        expect(placesOf(5)).toEqual(["#/u"]);
      },
    );

    it("takes the branch that names the most members of the value for the nearest, with each library", () => {
      const wide = { a: { type: "string" }, b: { type: "string" }, c: { type: "string" }, d: { type: "string" } };
      const raw = object({ l: { type: "array", items: { anyOf: [object({ e: { type: "string" } }), object(wide)] } } });
      const wideTypeBox = Type.Object({ a: Type.String(), b: Type.String(), c: Type.String(), d: Type.String() });
      const typeBox = Type.Object({ l: Type.Array(Type.Union([Type.Object({ e: Type.String() }), wideTypeBox])) });
      const s = v.string();
      const schemas: StandardSchema[] = [
        z.object({
          l: z.array(
            z.union([
              z.object({ e: z.string() }),
              z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string() }),
            ]),
          ),
        }),
        v.object({ l: v.array(v.union([v.object({ e: s }), v.object({ a: s, b: s, c: s, d: s })])) }),
        jsonSchema(raw, new Ajv({ allErrors: true }).compile(raw)),
        jsonSchema(typeBox, (value) => Value.Errors(typeBox, value)),
      ];
      for (const schema of schemas) {
        const placesOf = (item: object): string[] => [
          ...new Set(told(schema, { l: [item] }).map(([pointer]) => pointer!)),
        ];
        expect(placesOf({ a: "1", b: "2" }).toSorted(), schema["~standard"].vendor).toEqual(["#/l/0/c", "#/l/0/d"]);
        expect(placesOf({ a: "1" }), schema["~standard"].vendor).toHaveLength(3);
        expect(placesOf({ e: 1, x: 1 }), schema["~standard"].vendor).toEqual(["#/l/0/e"]);
        expect(placesOf({ x: 1 }), schema["~standard"].vendor).toEqual(["#/l/0/e"]);
      }
      const ark = type({ e: "string" }).or({ a: "string", b: "string", c: "string" });
      expect(told(type({ l: ark.array() }), { l: [{ a: "1", b: "2" }] })).toEqual([
        ["#/l/0/c", "must be a string", "required"],
      ]);
      const union = z.union([z.object({ e: z.string() }), z.object({ a: z.string(), b: z.string() })]);
      const lacksB = (schema: StandardSchema, sent: unknown, place: string): void =>
        expect(told(schema, sent).map(([pointer]) => pointer)).toEqual([place]);
      lacksB(z.tuple([z.string(), union]), ["x", { a: "1" }], "#/1/b");
      lacksB(z.record(z.string(), union), { any: { a: "1" } }, "#/any/b");
      lacksB(z.string().or(union), { a: "1" }, "#/b");
      // What the library does not show is judged by what it says alone.
      const hidden = z.unknown().pipe(union);
      expect(told(hidden, { a: "1" })).toEqual([["#", "Fits none of the alternatives", "invalid_union"]]);
      const issues = (union["~standard"].validate({ a: "1" }) as { issues: readonly StandardIssue[] }).issues;
      const silent = { "~standard": { version: 1, vendor: "zod", validate: () => ({ issues }) } } as StandardSchema;
      expect(told(silent, { a: "1" })).toEqual([["#", "Fits none of the alternatives", "invalid_union"]]);
    });

    it("says what the alternatives are, if each is of another kind", () => {
      const ajv = { anyOf: [{ type: "string" }, { type: "number" }] };
      expect(told(jsonSchema(ajv, new Ajv({ allErrors: true }).compile(ajv)), true)).toEqual([
        ["#", "Expected string or number", "anyOf"],
      ]);
      expect(told(v.union([v.string(), v.number()]), true)).toEqual([
        ["#", "Invalid type: Expected (string | number)", "union"],
      ]);
      expect(told(v.union([v.object({ a: v.number() }), v.object({ b: v.string() })]), {})).toEqual([
        ["#", "Fits none of the alternatives", "union"],
      ]);
      const typeBox = Type.Union([Type.String(), Type.Number()]);
      expect(
        told(
          jsonSchema(typeBox, (value) => Value.Errors(typeBox, value)),
          true,
        ),
      ).toEqual([["#", "Fits none of the alternatives"]]);
    });

    it("keeps what Ajv says where several branches fit, and of a union inside another", () => {
      const both = { oneOf: [{ type: "number" }, { type: "integer" }] };
      expect(told(jsonSchema(both, new Ajv().compile(both)), 1)).toEqual([
        ["#", "must match exactly one schema in oneOf", "oneOf"],
      ]);
      const inner = { anyOf: [object({ k: { const: 1 }, a: { type: "string" } }), object({ k: { const: 2 } })] };
      const nested = { anyOf: [object({ u: inner }), { type: "string" }] };
      expect(told(jsonSchema(nested, new Ajv({ allErrors: true }).compile(nested)), { u: { k: 1, a: 1 } })).toEqual([
        ["#/u/a", "must be string", "type"],
      ]);
      const tagged = { type: "object", required: ["k"], discriminator: { propertyName: "k" }, oneOf: inner.anyOf };
      const check = new Ajv({ discriminator: true, strict: false }).compile({
        ...tagged,
        oneOf: [object({ k: { const: "a" } }), object({ k: { const: "b" } })],
      });
      expect(told(jsonSchema(tagged, check), { k: "c" })).toEqual([
        ["#/k", 'value of tag "k" must be in oneOf', "discriminator"],
      ]);
    });

    it("finds unions of Valibot wherever they are", () => {
      const union = v.union([v.object({ a: v.number() }), v.object({ b: v.string() })]);
      const lacks = (place: string): string[][] => [[place, "Invalid type: Expected number", "number"]];
      const wrong = { a: "1" };
      expect(told(v.array(v.optional(union)), [wrong])).toEqual(lacks("#/0/a"));
      expect(told(v.tuple([v.string(), union]), ["x", wrong])).toEqual(lacks("#/1/a"));
      expect(told(v.tupleWithRest([v.string()], union), ["x", "y", wrong]).at(-1)).toEqual(lacks("#/2/a")[0]);
      expect(told(v.record(v.string(), union), { k: wrong })).toEqual(lacks("#/k/a"));
      expect(
        told(
          v.lazy(() => union),
          wrong,
        ),
      ).toEqual(lacks("#/a"));
      expect(
        told(
          v.pipe(
            union,
            v.check(() => true),
          ),
          wrong,
        ),
      ).toEqual(lacks("#/a"));
      expect(told(v.intersect([v.union([v.object({ a: v.string() }), v.string()]), union]), wrong)).toEqual(
        lacks("#/a"),
      );
      const asynchronous = v.unionAsync([v.objectAsync({ a: v.number() }), v.object({ b: v.string() })]);
      const issues = [{ message: "No", type: "union", issues: [], input: wrong } as StandardIssue];
      for (const schema of [asynchronous, v.string(), undefined]) {
        for (const key of [[], ["a"]]) {
          const [issue] = issues.map((one) => ({ ...one, path: key }));
          expect(failuresOf("content", { vendor: "valibot", schema, sent: wrong, issues: [issue!] })).toEqual([
            { in: "content", pointer: ["#", ...key].join("/"), detail: "No", code: "union" },
          ]);
        }
      }
    });
  });

  it("tells of fields and cookies nothing that their schema names", () => {
    const schema = z.object({ key: z.literal("s3cr3t"), other: z.string() });
    const { issues = [] } = schema["~standard"].validate({ key: "x" }) as { issues?: readonly StandardIssue[] };
    for (const part of ["header", "cookie"] as const) {
      expect(failuresOf(part, { vendor: "zod", sent: { key: "x" }, issues })).toEqual([
        { in: part, pointer: "#/key", detail: "Does not fit" },
        { in: part, pointer: "#/other", detail: "Is missing" },
      ]);
    }
  });

  it("C8.18 replaces a message that quotes a part of what was sent", () => {
    const json = type({ j: "string.json.parse" });
    for (const j of ["password-hunter2-and-more", '{"a": 1, "pass": hunter2-and-more, "x": 1}']) {
      expect(told(json, { j })).toEqual([["#/j", "Does not fit the schema", "predicate"]]);
    }
    const state = z.object({ state: z.enum(["draft", "in progress"]) });
    expect(told(state, { state: "in progress or draft" })).toEqual([
      ["#/state", 'Invalid option: expected one of "draft"|"in progress"', "invalid_value"],
    ]);
  });

  it("keeps the messages of Valibot without what was received", () => {
    const schema = v.strictObject({
      n: v.pipe(v.number(), v.maxValue(5)),
      e: v.picklist(["a", "b"]),
      s: v.pipe(v.string(), v.email()),
      u: v.union([v.number(), v.boolean()]),
    });
    expect(told(schema, { n: 6, e: "secret", s: "secret", u: " but received secret", secret: 1 })).toEqual([
      ["#/n", "Invalid value: Expected <=5", "max_value"],
      ["#/e", 'Invalid type: Expected ("a" | "b")', "picklist"],
      ["#/s", "Invalid email", "email"],
      ["#/u", "Invalid type: Expected (number | boolean)", "union"],
      ["#/secret", "Invalid key: Expected never", "strict_object"],
    ]);
  });

  it("keeps the messages of ArkType without its places and what was sent", () => {
    const two = type({ s: "string.email & string >= 9" });
    expect(told(two, { s: "secret" })).toEqual([
      ["#/s", "must be an email address", "pattern"],
      ["#/s", "must be at least length 9", "minLength"],
    ]);
    const union = type({ "[string]": type({ a: "number" }).or({ b: "number" }) });
    expect(told(union, { secret: { a: "secret", b: "secret" } }).map(([, detail]) => detail)).toEqual([
      "Fits none of the alternatives",
    ]);
    const schema = type({
      n: "number<5",
      e: "'a'|'b'",
      s: "string.email",
      "o?": "number | boolean",
      l: "number[]",
      "+": "reject",
    });
    const sent = { n: 5, e: "secret", s: "secret (was x)", o: "secret", l: ["secret"], secret: 1 };
    expect(told(schema, sent).toSorted()).toEqual(
      [
        ["#/n", "must be less than 5", "max"],
        ["#/e", 'must be "a" or "b"', "union"],
        ["#/s", "must be an email address", "pattern"],
        ["#/o", "must be a number or boolean", "predicate"],
        ["#/l/0", "must be a number", "domain"],
        ["#/secret", "must be removed", "predicate"],
      ].toSorted(),
    );
  });

  it("keeps the messages of Ajv and TypeBox, with Ajv's keywords", () => {
    const Book = Type.Object(
      { n: Type.Integer({ exclusiveMaximum: 5 }), s: Type.String() },
      { additionalProperties: false },
    );
    const sent = { n: 5, secret: "secret" };
    expect(told(jsonSchema(Book, new Ajv({ allErrors: true }).compile(Book)), sent)).toEqual([
      ["#/s", "must have required property 's'", "required"],
      ["#/secret", "must NOT have additional properties", "additionalProperties"],
      ["#/n", "must be < 5", "exclusiveMaximum"],
    ]);
    expect(
      told(
        jsonSchema(Book, (value) => Value.Errors(Book, value)),
        sent,
      ),
    ).toEqual([
      ["#/s", "Expected required property"],
      ["#/secret", "Unexpected property"],
      ["#/n", "Does not fit the schema"],
      ["#/s", "Expected string"],
    ]);
  });

  it.each<[string, StandardSchema]>([
    [
      "zod",
      z.object({
        name: z.string().refine(() => false, { error: ({ input }) => `No ${String(input)}` }),
        other: z.string(),
      }),
    ],
    [
      "Valibot",
      v.object({
        name: v.pipe(
          v.string(),
          v.check(
            () => false,
            ({ input }) => `No ${input}`,
          ),
        ),
        other: v.string(),
      }),
    ],
    [
      "ArkType",
      type({ name: type("string").narrow((name, context) => context.mustBe(`other than ${name}`)), other: "string" }),
    ],
    ["Ajv", jsonSchema({}, () => [{ path: "/name", message: "No hunter2" }])],
  ])("C8.18 replaces a message of an application that quotes the value with %s", (_, schema) => {
    const [failure] = failures(schema, { name: "hunter2", other: "x" });
    expect(failure).toMatchObject({ pointer: "#/name" });
    expect(failure!.detail).not.toContain("hunter2");
  });

  it("C8.18 replaces a message that quotes what stands beside the place, or in it", () => {
    const schema = z
      .object({ password: z.string(), again: z.string(), list: z.array(z.object({ word: z.string() })) })
      .check(({ value, issues }) => {
        issues.push({ code: "custom", input: value, path: ["again"], message: `Not ${value.password}` });
        issues.push({ code: "custom", input: value, path: ["list"], message: `Not ${value.list[0]!.word}` });
        issues.push({ code: "custom", input: value, path: ["list", 0], message: `Not ${value.password}` });
      });
    const sent = { password: "hunter2", again: "hunter3", list: [{ word: "swordfish" }] };
    expect(told(schema, sent)).toEqual([
      ["#/again", "Does not fit the schema", "custom"],
      ["#/list", "Does not fit the schema", "custom"],
      ["#/list/0", "Does not fit the schema", "custom"],
    ]);
  });

  it("C8.18 says what the library expects in place of a message that quotes the value", () => {
    const schema = z.object({ name: z.number({ error: ({ input }) => `No ${String(input)}` }) });
    expect(told(schema, { name: "hunter2" })).toEqual([["#/name", "Expected number", "invalid_type"]]);
  });

  it("C8.18 keeps a message that has by chance what was sent, as the schema has it", () => {
    expect(told(z.object({ n: z.number() }), { n: "number" })).toEqual([
      ["#/n", "Invalid input: expected number, received string", "invalid_type"],
    ]);
    expect(told(z.object({ n: z.number().gt(18) }), { n: 18 })).toEqual([
      ["#/n", "Too small: expected number to be >18", "too_small"],
    ]);
    expect(told(z.object({ s: z.string().refine(() => false, "Choose a name") }), { s: "a" })).toEqual([
      ["#/s", "Choose a name", "custom"],
    ]);
  });

  it.each([
    ['Not "ab"', "ab", "Does not fit the schema"],
    ["Grab one", "ab", "Grab one"],
    ["Not 7", 7, "Does not fit the schema"],
    ["Not 7.", 7, "Does not fit the schema"],
    ["At most 70", 7, "At most 70"],
    ["Not empty", "", "Not empty"],
    ["bad <q7>", "q7", "Does not fit the schema"],
    ["Bad: q7", "q7", "Does not fit the schema"],
  ])("C8.18 counts short texts between quotes, and numbers as a whole: %j for %j", (message, sent, detail) => {
    const schema = z.unknown().refine(() => false, message);
    expect(failures(schema, sent)[0]!.detail).toBe(detail);
  });

  it("C8.18 replaces a message that quotes the value as the schema has changed it", () => {
    const refused = { error: ({ input }: { input?: unknown }): string => `bad ${String(input)}` };
    const sent = " Hunter2Secret ";
    const says = (schema: StandardSchema): string => failures(schema, sent)[0]!.detail;
    expect(
      says(
        z
          .string()
          .toUpperCase()
          .refine(() => false, refused),
      ),
    ).toBe("Does not fit the schema");
    expect(
      says(
        z
          .string()
          .toLowerCase()
          .refine(() => false, refused),
      ),
    ).toBe("Does not fit the schema");
    expect(
      says(
        z
          .string()
          .trim()
          .refine(() => false, refused),
      ),
    ).toBe("Does not fit the schema");
  });

  it("C8.18 keeps a message that has a word of the schema in another case", () => {
    expect(told(z.object({ n: z.number() }), { n: "NUMBER" })).toEqual([
      ["#/n", "Invalid input: expected number, received string", "invalid_type"],
    ]);
  });

  it("reports what could not be read first, and not again what the schema misses for it", () => {
    const schema = z.object({ n: z.int(), m: z.int() });
    const { issues = [] } = schema["~standard"].validate({}) as { issues?: readonly StandardIssue[] };
    const unread = [{ path: ["n", 1], detail: "Expected an integer" }];
    expect(failuresOf("query", { vendor: "zod", sent: {}, issues, unread })).toEqual([
      { in: "query", pointer: "#/n/1", detail: "Expected an integer" },
      {
        in: "query",
        pointer: "#/m",
        detail: "Invalid input: expected number, received undefined",
        code: "invalid_type",
      },
    ]);
  });

  it("is the whole where an issue has no path", () => {
    const issue = { message: "No", errors: [[{ message: "Its own" }], []] };
    expect(failuresOf("path", { vendor: "own", sent: 1, issues: [issue] })).toEqual([
      { in: "path", pointer: "#", detail: "No" },
    ]);
  });

  it("reports no more than a hundred places", () => {
    const sent = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, 1]));
    expect(failures(z.strictObject({}), sent)).toHaveLength(100);
    expect(
      failures(
        z.array(z.string()),
        Array.from({ length: 300 }, () => 1),
      ),
    ).toHaveLength(100);
    const unread = Array.from({ length: 300 }, (_, at) => ({ path: ["n", at], detail: "No" }));
    expect(failuresOf("query", { vendor: "zod", sent, issues: [], unread })).toHaveLength(100);
  });

  it("stops a place before a name that is long, and a detail after 500 characters", () => {
    const long = "k".repeat(1_000);
    expect(told(z.strictObject({ a: z.strictObject({}) }), { a: { [long]: 1 } })).toEqual([
      ["#/a", "Expected no such member", "unrecognized_keys"],
    ]);
    const deep = Array.from({ length: 200 }, () => "ab");
    const [failure] = failuresOf("content", { vendor: "own", sent: 1, issues: [{ path: deep, message: long }] });
    expect(failure!.pointer).toHaveLength(298);
    expect(failure!.detail).toBe(`${long.slice(0, 500)}…`);
  });

  it("leaves out a code that is not a name", () => {
    const issues: (StandardIssue & { code: unknown })[] = [42, "a b"].map((code) => ({ message: "No", code }));
    for (const failure of failuresOf("content", { vendor: "own", sent: 1, issues }))
      expect(failure).not.toHaveProperty("code");
  });
});

describe("failuresOf(), for any value", () => {
  FormatRegistry.Set("email", () => false);
  const marker = fc
    .string({ unit: fc.constantFrom(..."QXZJVK", "\n", '"', " ", "(", "7"), minLength: 8, maxLength: 20 })
    .map((text) => `Q${text.trim()}Q`);
  const ofTypeBox = Type.Object(
    {
      n: Type.Integer({ minimum: 3 }),
      s: Type.String({ minLength: 99, format: "email" }),
      e: Type.Union([Type.Literal("a"), Type.Literal("b")]),
      u: Type.Union([Type.Number(), Type.Boolean()]),
      l: Type.Array(Type.Number(), { maxItems: 0 }),
      o: Type.Object({ deep: Type.Number() }),
      r: Type.Record(Type.String({ pattern: "^k$" }), Type.Number()),
    },
    { additionalProperties: false },
  );
  const schemas: [string, StandardSchema][] = [
    [
      "zod",
      z.strictObject({
        n: z.int().min(3),
        s: z.email().min(99),
        e: z.enum(["a", "b"]),
        u: z.union([z.number(), z.boolean(), z.object({ k: z.number() })]),
        l: z.array(z.number()).max(0),
        o: z.object({ deep: z.number() }),
        r: z.record(z.enum(["k"]), z.number()),
      }),
    ],
    [
      "Valibot",
      v.strictObject({
        n: v.pipe(v.number(), v.integer(), v.minValue(3)),
        s: v.pipe(v.string(), v.email(), v.minLength(99), v.startsWith("x"), v.regex(/^x/)),
        e: v.picklist(["a", "b"]),
        u: v.union([v.number(), v.boolean(), v.object({ k: v.number() })]),
        l: v.pipe(v.array(v.number()), v.maxLength(0)),
        o: v.object({ deep: v.number() }),
        r: v.record(v.picklist(["k"]), v.number()),
      }),
    ],
    [
      "ArkType",
      type({
        n: "number.integer >= 3",
        s: "string.email & string >= 99 & /^x/",
        e: "'a' | 'b'",
        u: type("number | boolean").or({ k: "number" }),
        l: "number[] == 0",
        o: { deep: "number" },
        r: { "[/^k$/]": "number" },
        "+": "reject",
      }),
    ],
    ["Ajv", jsonSchema(ofTypeBox, new Ajv({ allErrors: true, formats: { email: () => false } }).compile(ofTypeBox))],
    ["TypeBox", jsonSchema(ofTypeBox, (value) => Value.Errors(ofTypeBox, value))],
  ];

  it.each(schemas)("C8.18 shows nothing that was sent with %s", (_, schema) => {
    const anything = fc.letrec<{ value: unknown; marker: string }>((tie) => ({
      marker,
      value: fc.oneof(
        { depthSize: "small" },
        marker,
        marker,
        fc.array(tie("value"), { maxLength: 2 }),
        fc.record({ deep: tie("value"), k: tie("value") }, { requiredKeys: [] }),
        fc.dictionary(marker, tie("value"), { maxKeys: 2 }),
      ),
    })).value;
    const part = fc.record(
      { n: anything, s: anything, e: anything, u: anything, l: anything, o: anything, r: anything },
      { requiredKeys: [] },
    );
    const sent = fc.oneof(
      anything,
      part,
      fc.tuple(part, fc.dictionary(marker, anything, { maxKeys: 2 })).map(([one, more]) => ({ ...one, ...more })),
    );
    fc.assert(
      fc.property(sent, (value) => {
        const found = failures(schema, value);
        expect(found.length).toBeGreaterThan(0);
        const markers = new Set(
          JSON.stringify(value, null, 0)
            .match(/Q(?:[QXZJVK7 (]|\\n|\\")*Q/g)
            ?.map((text) => JSON.parse(`"${text}"`) as string),
        );
        for (const { detail, pointer, code } of found) {
          expect(detail).not.toMatch(/[QZJVK]{2}|Q["\n (7]/);
          for (const text of markers) expect(detail + (code ?? "")).not.toContain(text);
          expect(pointer).toMatch(/^#(?:\/[\w~%.!*'()-]*)*$/);
        }
      }),
    );
  });
});
