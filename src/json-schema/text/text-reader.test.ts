import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { Type } from "@sinclair/typebox";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseCookieValues } from "../../fields/cookie.ts";
import { jsonSchema } from "../library/raw-schema.ts";
import { jsonSchemaOf, type StandardSchema } from "../shape/standard-schema.ts";
import { TextReader, type ReadTexts, type TextPart } from "./text-reader.ts";

const integer = { type: "integer" };
const boolean = { type: "boolean" };
const string = { type: "string" };
const list = (items: object) => ({ type: "array", items });

function readerOf(properties: object, part: TextPart = "query", required: string[] = []): TextReader {
  return new TextReader({ type: "object", properties, required }, part);
}

/** Plain objects, for comparison. */
function plain({ values, failures }: ReadTexts): object {
  const entries = failures.map(({ path, detail }) => [`/${path.join("/")}`, detail]);
  return entries.length === 0 ? { ...values } : { values: { ...values }, failures: Object.fromEntries(entries) };
}

const query = (properties: object, text: string, required: string[] = []): object =>
  plain(readerOf(properties, "query", required).readUrlEncoded(text));

describe("TextReader.readUrlEncoded()", () => {
  it.each<[string, object, string, object]>([
    ["numbers", { n: integer }, "n=5", { n: 5 }],
    ["booleans", { b: boolean }, "b=true", { b: true }],
    ["text", { s: string }, "s=5", { s: "5" }],
    ["a list of one", { l: list(integer) }, "l=5", { l: [5] }],
    ["a list of repeats", { l: list(integer) }, "l=5&l=6", { l: [5, 6] }],
    ["a list of texts with commas", { l: list(string) }, "l=a,b", { l: ["a,b"] }],
    ["a list of what is not said", { l: { type: "array" } }, "l=5", { l: ["5"] }],
    ["a list that may be null", { l: { anyOf: [list(integer), { type: "null" }] } }, "l=5", { l: [5] }],
    [
      "a tuple",
      { t: { type: "array", prefixItems: [integer, string], items: boolean } },
      "t=1&t=2&t=true",
      { t: [1, "2", true] },
    ],
    ["one or several: one", { n: { anyOf: [integer, list(integer)] } }, "n=5", { n: 5 }],
    ["one or several: several", { n: { anyOf: [integer, list(integer)] } }, "n=5&n=6", { n: [5, 6] }],
    ["undeclared names as text", { n: integer }, "m=5&m=6&n=1", { m: ["5", "6"], n: 1 }],
    ["what JSON Schema cannot show as text", { d: {}, n: integer }, "d=5&n=5", { d: "5", n: 5 }],
    ["repeats of what it cannot show", { d: {} }, "d=5&d=6", { d: ["5", "6"] }],
    [
      "names that all objects have",
      { toString: integer },
      "toString=5&constructor=1&valueOf=2",
      { toString: 5, constructor: "1", valueOf: "2" },
    ],
    ["nothing", { n: integer }, "", {}],
  ])("C8.6 reads %s", (_, properties, text, expected) => {
    expect(query(properties, text)).toEqual(expected);
  });

  it.each<[string, object, string, object]>([
    [
      "a text that is no number",
      { n: integer, m: integer },
      "n=0x10&m=1",
      { values: { m: 1 }, failures: { "/n": "Expected an integer" } },
    ],
    [
      "every item that is none",
      { l: list(integer) },
      "l=1&l=a&l=b",
      { values: {}, failures: { "/l/1": "Expected an integer", "/l/2": "Expected an integer" } },
    ],
    [
      "a scalar that is repeated",
      { n: integer },
      "n=1&n=2",
      { values: { n: ["1", "2"] }, failures: { "/n": "Expected one value, and not several" } },
    ],
    [
      "a text that is repeated",
      { s: string },
      "s=1&s=2",
      { values: { s: ["1", "2"] }, failures: { "/s": "Expected one value, and not several" } },
    ],
  ])("C8.15 fails by itself for %s", (_, properties, text, expected) => {
    expect(query(properties, text)).toEqual(expected);
  });

  it.each<[string, object, string, string[], object]>([
    ["not text and not required", { n: integer, b: boolean }, "n=&b=", [], {}],
    ["not text, in a union", { n: { anyOf: [integer, boolean, { type: "null" }] } }, "n=", [], {}],
    ["one of several", { n: integer }, "n=&n=5", [], { n: 5 }],
    ["an item of a list", { l: list(integer) }, "l=&l=5&l=&l=6", [], { l: [5, 6] }],
    ["the only item of a list", { l: list(integer) }, "l=", [], {}],
    ["all items of a list", { l: list(integer) }, "l=&l=", [], {}],
    ["text", { s: string }, "s=", [], { s: "" }],
    ["a text of an enumeration", { s: { enum: ["a"] } }, "s=", [], { s: "" }],
    ["perhaps a text", { s: { anyOf: [string, integer] } }, "s=", [], { s: "" }],
    ["text in a list", { l: list(string) }, "l=&l=", [], { l: ["", ""] }],
    ["not known", { d: {} }, "d=", [], { d: "" }],
    ["required", { n: integer }, "n=", ["n"], { values: {}, failures: { "/n": "Expected an integer" } }],
  ])(
    "C8.15 counts empty text as absent only if it is neither text nor required: %s",
    (_, properties, text, required, expected) => {
      expect(query(properties, text, required)).toEqual(expected);
    },
  );

  it.each<[string, object, string[], TextPart, object]>([
    ["a list of a query", list(integer), ["l"], "query", { l: [] }],
    ["a list of a form", list(string), ["l"], "form", { l: [] }],
    ["a list that may be null", { anyOf: [list(integer), { type: "null" }] }, ["l"], "query", { l: [] }],
    ["a list of objects", list({ type: "object" }), ["l"], "form", { l: [] }],
    ["not an optional list", list(integer), [], "query", {}],
    ["not one or several", { anyOf: [integer, list(integer)] }, ["l"], "query", {}],
    ["not a list or an object", { anyOf: [{ type: "object" }, list(integer)] }, ["l"], "form", {}],
    ["not another type", integer, ["l"], "query", {}],
    ["not a list of a path", list(string), ["l"], "path", {}],
    ["not a list of fields", list(string), ["l"], "headers", {}],
  ])("C8.6 counts a required list without repeats as empty: %s", (_, shape, required, part, expected) => {
    expect(plain(readerOf({ l: shape }, part, required).readEntries([]))).toEqual(expected);
  });

  it("reads by references, unions and intersections at the root", () => {
    const reader = new TextReader(
      {
        $ref: "#/$defs/Query",
        $defs: {
          Query: { allOf: [{ $ref: "#/$defs/Page" }, { properties: { b: boolean } }] },
          Page: { properties: { n: integer } },
        },
      },
      "query",
    );
    expect(plain(reader.readUrlEncoded("n=1&b=false"))).toEqual({ n: 1, b: false });
  });

  it("reads other names as additionalProperties and patternProperties say", () => {
    const record = new TextReader({ type: "object", additionalProperties: integer }, "query");
    expect(plain(record.readUrlEncoded("a=1&b=x&c="))).toEqual({
      values: { a: 1 },
      failures: { "/b": "Expected an integer" },
    });
    const pattern = new TextReader({ properties: { s: string }, patternProperties: { "^n-": integer } }, "query");
    expect(plain(pattern.readUrlEncoded("n-1=1&s=1&t=1"))).toEqual({ "n-1": 1, s: "1", t: "1" });
    const open = new TextReader({ properties: {}, additionalProperties: {} }, "query");
    expect(plain(open.readUrlEncoded("a=1"))).toEqual({ a: "1" });
  });

  it("leaves all as text without a JSON Schema", () => {
    expect(plain(new TextReader(undefined, "query").readUrlEncoded("a=1&b=true&b=&a="))).toEqual({
      a: ["1", ""],
      b: ["true", ""],
    });
  });

  it("returns values that inherit nothing", () => {
    const { values } = readerOf({ n: integer }).readUrlEncoded("__proto__=1&n=1");
    expect(Object.keys(values)).toEqual(["n"]);
    expect("constructor" in values || "__proto__" in values).toBe(false);
  });

  it("is made once: nothing of one request is left for the next", () => {
    const reader = readerOf({ l: list(integer) });
    expect(plain(reader.readUrlEncoded("l=1&l=x"))).toHaveProperty("failures");
    expect(plain(reader.readUrlEncoded("l=2"))).toEqual({ l: [2] });
    expect(plain(reader.readUrlEncoded(""))).toEqual({});
  });
});

describe("TextReader with libraries", () => {
  const schemas: [string, StandardSchema][] = [
    [
      "zod",
      z.object({
        n: z.int().optional(),
        b: z.boolean().optional(),
        l: z.array(z.number()).optional(),
        e: z.enum(["1", "2"]).optional(),
        d: z.date().optional(),
      }),
    ],
    [
      "Valibot",
      toStandardJsonSchema(
        v.object({
          n: v.optional(v.pipe(v.number(), v.integer())),
          b: v.optional(v.boolean()),
          l: v.optional(v.array(v.number())),
          e: v.optional(v.picklist(["1", "2"])),
          d: v.optional(v.date()),
        }),
      ),
    ],
    ["ArkType", type({ "n?": "number.integer", "b?": "boolean", "l?": "number[]", "e?": "'1'|'2'", "d?": "Date" })],
    [
      "TypeBox",
      jsonSchema(
        Type.Partial(
          Type.Object({
            n: Type.Integer(),
            b: Type.Boolean(),
            l: Type.Array(Type.Number()),
            e: Type.Union([Type.Literal("1"), Type.Literal("2")]),
            d: Type.Date(),
          }),
        ),
        () => true,
      ),
    ],
  ];

  it.each(schemas)("C8.6 reads what the schemas of %s take", (_, schema) => {
    const reader = new TextReader(jsonSchemaOf(schema, "input"), "query");
    const read = reader.readUrlEncoded("n=5&b=true&l=1&l=2.5&e=2");
    expect(plain(read)).toEqual({ n: 5, b: true, l: [1, 2.5], e: "2" });
    const { value } = schema["~standard"].validate(read.values) as { value: object };
    expect({ ...value }).toEqual({ n: 5, b: true, l: [1, 2.5], e: "2" });
    for (const text of ["n=", "n=5&d=x"]) expect(reader.readUrlEncoded(text).failures).toEqual([]);
    for (const text of ["n=0x10", "n=%205", "b=1", "l=1&l=x", "n=1&n=2"]) {
      expect(reader.readUrlEncoded(text).failures, text).toHaveLength(1);
    }
  });

  it("C8.15 keeps from converting schemas what they would take", () => {
    const schema = z.object({
      n: z.coerce.number(),
      b: z.coerce.boolean(),
      s: z.coerce.string(),
      big: z.coerce.bigint(),
    });
    const reader = new TextReader(jsonSchemaOf(schema, "input"), "query");
    const { values, failures } = reader.readUrlEncoded("n=0x10&b=no&s=a&s=b&big=12345678901234567890");
    expect(failures.map(({ path }) => path)).toEqual([["n"], ["b"], ["s"]]);
    expect({ ...values }).toEqual({ s: ["a", "b"], big: "12345678901234567890" });
  });
});

describe("TextReader.readEntries()", () => {
  it("reads path params, where empty text is not absent", () => {
    const reader = readerOf({ id: integer, slug: string }, "path");
    expect(
      plain(
        reader.readEntries([
          ["id", "5"],
          ["slug", "7"],
          ["rest", "a/b"],
        ]),
      ),
    ).toEqual({ id: 5, slug: "7", rest: "a/b" });
    expect(plain(reader.readEntries([["id", ""]]))).toEqual({ values: {}, failures: { "/id": "Expected an integer" } });
  });
});

describe("TextReader.readNamed()", () => {
  it("C8.15 reads only the fields that are declared, in any case, under the declared name", () => {
    const reader = readerOf(
      { "X-Count": integer, "x-list": list(string), Accept: string, "not a name": string },
      "headers",
    );
    const fields = new Headers([
      ["x-count", "5"],
      ["X-LIST", "a, b"],
      ["X-List", "c"],
      ["authorization", "secret"],
    ]);
    expect(plain(reader.readNamed(fields))).toEqual({ "X-Count": 5, "x-list": ["a", "b", "c"] });
    expect(plain(reader.readNamed(new Headers({ "x-count": "" })))).toEqual({
      values: {},
      failures: { "/X-Count": "Expected an integer" },
    });
  });

  it.each<[string, object, string, object]>([
    ["numbers", list(integer), "1,, 2", { l: [1, 2] }],
    ["texts in quotes", list(string), '"a, b", c', { l: ['"a, b"', "c"] }],
    ["no member", list(string), " , ", {}],
    ["what is no list as it is", string, "a, b", { l: "a, b" }],
    ["what may be a text as it is", { anyOf: [string, list(string)] }, "a, b", { l: "a, b" }],
    ["what JSON Schema cannot show as it is", {}, "a, b", { l: "a, b" }],
    ["a member that does not fit", list(integer), "1, b", { values: {}, failures: { "/l/1": "Expected an integer" } }],
  ])("C8.6 reads of a field that is a list %s", (_, member, value, expected) => {
    expect(plain(readerOf({ l: member }, "headers").readNamed(new Headers({ L: value })))).toEqual(expected);
  });

  it("C8.6 collects cookies of one name in a list, and takes the first where it is none", () => {
    const one = { anyOf: [integer, list(integer)] };
    const reader = readerOf({ n: integer, l: list(integer), s: one, d: {}, none: list(string) }, "cookies");
    const cookies = parseCookieValues("n=1; n=2; l=1; l=2; d=1; d=2; s=3; more=1");
    expect(plain(reader.readNamed(cookies))).toEqual({ n: 1, l: [1, 2], d: "1", s: 3 });
    expect(plain(reader.readNamed(parseCookieValues("l=5; s=3; s=4")))).toEqual({ l: [5], s: [3, 4] });
    expect(plain(new TextReader(undefined, "cookies").readNamed(cookies))).toMatchObject({ n: "1", more: "1" });
  });

  it("C8.15 reads only the cookies that are declared, in their case", () => {
    const reader = readerOf({ visits: integer, Theme: string }, "cookies");
    expect(plain(reader.readNamed(parseCookieValues("visits=3; theme=dark; session=secret")))).toEqual({ visits: 3 });
  });

  it("reads all of them as text where no JSON Schema declares any", () => {
    expect(plain(new TextReader(undefined, "headers").readNamed(new Headers({ "X-Count": "5" })))).toEqual({
      "x-count": "5",
    });
    expect(plain(new TextReader(undefined, "cookies").readNamed(parseCookieValues("a=1")))).toEqual({ a: "1" });
  });
});

describe("TextReader.readForm()", () => {
  const object = { type: "object" };
  const file = new File(["abc"], "a.txt", { type: "text/plain" });

  it("C8.16 keeps files, reads objects as JSON, and collects repeats", async () => {
    const reader = readerOf({ n: integer, meta: object, file: {}, files: list({}), objects: list(object) }, "form");
    const entries: [string, unknown][] = [
      ["n", "5"],
      ["meta", '{"a":1}'],
      ["file", file],
      ["files", file],
      ["files", file],
      ["objects", "{}"],
      ["objects", '{"b":[1]}'],
    ];
    const read = reader.readForm(entries) as ReadTexts;
    expect(plain(read)).toEqual({ n: 5, meta: { a: 1 }, file, files: [file, file], objects: [{}, { b: [1] }] });
    expect(read.values["file"]).toBe(file);
  });

  it("C8.16 reads an object that came as a file, whatever its type claims", async () => {
    const reader = readerOf({ meta: object, objects: list(object), other: {} }, "form");
    const part = (text: string, claim: string) => new File([text], "blob", { type: claim });
    const read = await reader.readForm([
      ["meta", part('{"a":1}', "application/json")],
      ["objects", part("[]", "image/png")],
      ["objects", "{}"],
      ["other", file],
    ]);
    expect(plain(read)).toEqual({ meta: { a: 1 }, objects: [[], {}], other: file });
    const failed = await reader.readForm([
      ["meta", part("{", "application/json")],
      ["objects", "1,"],
    ]);
    expect(plain(failed)).toEqual({
      values: {},
      failures: { "/meta": "Expected JSON", "/objects/0": "Expected JSON" },
    });
  });

  it("leaves a file to the schema where text is expected, or perhaps an object", () => {
    for (const schema of [integer, string, { anyOf: [object, {}] }, { anyOf: [object, string] }]) {
      const read = readerOf({ a: schema }, "form").readForm([["a", file]]) as ReadTexts;
      expect(read.values["a"]).toBe(file);
      expect(read.failures).toEqual([]);
    }
  });

  it("C8.15 counts empty text as absent, as for a query", () => {
    const reader = readerOf({ n: integer, meta: object, s: string }, "form");
    expect(
      plain(
        reader.readForm([
          ["n", ""],
          ["meta", ""],
          ["s", ""],
        ]) as ReadTexts,
      ),
    ).toEqual({ s: "" });
  });
});

describe("TextReader.readForm() of files", () => {
  const none = new File([], "");
  const empty = new File([], "empty.txt");
  const binary = { type: "string", format: "binary" };

  it("C8.15 counts an empty text or a file without a name as absent where a file is optional", () => {
    const form = z.object({ f: z.file().optional(), l: z.array(z.file()).optional(), t: z.string().optional() });
    const reader = new TextReader(jsonSchemaOf(form, "input"), "form");
    for (const value of ["", none]) {
      const read = reader.readForm(["f", "l", "l"].map((name) => [name, value] as const));
      expect(plain(read as ReadTexts)).toEqual({});
    }
    const named = reader.readForm([
      ["f", empty],
      ["l", none],
      ["l", empty],
      ["t", ""],
    ]) as ReadTexts;
    expect(plain(named)).toEqual({ f: empty, l: [empty], t: "" });
    expect(named.values["f"]).toBe(empty);
    const shown = jsonSchemaOf(toStandardJsonSchema(v.object({ f: v.optional(v.any()) })), "input");
    expect(plain(new TextReader(shown, "form").readForm([["f", none]]) as ReadTexts)).toEqual({});
  });

  it("C8.15 leaves an empty text to the schema where a file is required, or may be text", () => {
    const either = { anyOf: [binary, string] };
    const files = list(binary);
    const reader = readerOf({ f: binary, either, files }, "form", ["f", "files"]);
    const entries = ["f", "either"].map((name) => [name, ""] as const);
    expect(plain(reader.readForm(entries) as ReadTexts)).toEqual({ f: "", either: "", files: [] });
    expect(
      plain(
        reader.readForm([
          ["f", none],
          ["files", none],
          ["other", none],
        ]) as ReadTexts,
      ),
    ).toEqual({ files: [] });
  });
});

describe("TextReader.objectMembers", () => {
  const inner = z.object({ a: z.string() });
  it.each<[string, StandardSchema, string[]]>([
    ["a record", z.record(z.string(), inner), ["*"]],
    ["other members", z.object({ n: z.int() }).catchall(inner), ["*"]],
    ["a record of lists", z.record(z.string(), z.array(inner)), ["*"]],
    ["a record of ArkType", type({ "[string]": { a: "string" } }), ["*"]],
    ["names of a pattern", type({ "[/^x/]": { a: "string" } }), ["/^x/u"]],
    ["lists of numbers", z.record(z.string(), z.array(z.int())), []],
    ["members that are not known", z.looseObject({ n: z.int() }), []],
  ])("C8.16 tells objects among members without a name of their own: %s", (_, schema, members) => {
    expect(new TextReader(jsonSchemaOf(schema, "input"), "query").objectMembers).toEqual(members);
  });

  it.each<[string, object, boolean]>([
    ["an object", { type: "object" }, true],
    ["an object that may be null", { anyOf: [{ type: "object" }, { type: "null" }] }, true],
    ["a list of objects", list({ type: "object" }), true],
    ["a list of lists", list(list(integer)), true],
    ["a tuple with an object", { type: "array", prefixItems: [integer, { type: "object" }] }, true],
    ["an object or text", { anyOf: [{ type: "object" }, string] }, false],
    ["an object or a number", { anyOf: [{ type: "object" }, integer] }, false],
    ["a list of numbers", list(integer), false],
    ["a list of objects or text", list({ anyOf: [{ type: "object" }, string] }), false],
    ["what is not known", {}, false],
    ["null", { type: "null" }, false],
  ])("C8.16 tells %s", (_, member, isNamed) => {
    expect(readerOf({ n: integer, member }).objectMembers).toEqual(isNamed ? ["member"] : []);
  });
});

describe("TextReader, for any text", () => {
  it("reads each name as text, as its type, or fails, and never throws", () => {
    const reader = readerOf({ n: integer, b: boolean, l: list({ type: "number" }), u: { anyOf: [integer, string] } });
    const name = fc.constantFrom("n", "b", "l", "u", "x", "__proto__", "constructor");
    const text = fc.oneof(fc.constantFrom("", "1", "-1.5", "true", "1e999", "a,b", "null"), fc.string());
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), (entries) => {
        const { values, failures } = reader.readEntries(entries);
        expect(Object.getOwnPropertyNames(values)).not.toContain("__proto__");
        for (const { path } of failures) expect(["n", "b", "l", "u"]).toContain(path[0]);
        const failed = new Set(failures.map(({ path: [first] }) => first));
        if (values["n"] !== undefined && !failed.has("n")) expect(Number.isSafeInteger(values["n"])).toBe(true);
        if (values["b"] !== undefined && !failed.has("b")) expect(typeof values["b"]).toBe("boolean");
        if (values["l"] !== undefined) expect((values["l"] as unknown[]).every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it("reads what was written by a query of the client", () => {
    const reader = readerOf({ n: { type: "number" }, b: boolean, l: list(integer), s: string });
    const record = fc.record({
      n: fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value)),
      b: fc.boolean(),
      l: fc.array(fc.maxSafeInteger(), { minLength: 1 }),
      s: fc.string(),
    });
    fc.assert(
      fc.property(record, ({ l, ...scalars }) => {
        const search = new URLSearchParams(Object.entries(scalars).map(([name, value]) => [name, String(value)]));
        for (const item of l) search.append("l", String(item));
        const { values, failures } = reader.readUrlEncoded(search.toString());
        expect(failures).toEqual([]);
        // String() writes -0 as 0.
        expect({ ...values }).toEqual({ ...scalars, n: scalars.n + 0, l: l.map((item) => item + 0) });
      }),
    );
  });
});
