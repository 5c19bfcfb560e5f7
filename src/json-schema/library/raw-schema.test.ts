import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Ajv } from "ajv";
import { describe, expect, expectTypeOf, it } from "vitest";
import { jsonSchema, type SchemaCheck } from "./raw-schema.ts";
import { isSchema, jsonSchemaOf, type InferOutput, type StandardSchema } from "../shape/standard-schema.ts";

const Book = Type.Object({ title: Type.String(), pages: Type.Integer() }, { additionalProperties: false });
type Book = Static<typeof Book>;

describe("jsonSchema()", () => {
  it("C8.7 is a Standard Schema with the given JSON Schema on either side", () => {
    const schema = jsonSchema<Book>(Book, () => true);
    expect(isSchema(schema)).toBe(true);
    expect(jsonSchemaOf(schema, "input")).toBe(Book);
    expect(jsonSchemaOf(schema, "output")).toBe(Book);
    expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<Book>();
  });

  it("takes a function that Ajv compiled, and points to the member that is missing or too many", () => {
    const schema = jsonSchema<Book>(Book, new Ajv({ allErrors: true }).compile(Book));
    expect(validate(schema, { title: "A", pages: 1 })).toEqual({ value: { title: "A", pages: 1 } });
    expect(validate(schema, { pages: "x", more: 1 })).toMatchObject({
      issues: [
        { path: ["title"], message: "must have required property 'title'", code: "required" },
        { path: ["more"], message: "must NOT have additional properties", code: "additionalProperties" },
        { path: ["pages"], message: "must be integer", code: "type" },
      ],
    });
  });

  it("takes a function that returns what TypeBox finds", () => {
    const schema = jsonSchema<Book>(Book, (value) => Value.Errors(Book, value));
    expect(validate(schema, { title: "A", pages: 1 })).toEqual({ value: { title: "A", pages: 1 } });
    expect(validate(schema, { title: "A", pages: "x" })).toEqual({
      issues: [{ path: ["pages"], message: "Expected integer" }],
    });
  });

  it("takes a function that says no more than yes or no", () => {
    const schema = jsonSchema<Book>(Book, (value) => Value.Check(Book, value));
    expect(validate(schema, 5)).toEqual({ issues: [{ message: "Does not fit the schema" }] });
  });

  it("takes issues with a path in parts, and without any place", () => {
    const issues = [{ message: "no", path: ["a", 0] }, {}];
    expect(
      validate(
        jsonSchema({}, () => issues),
        5,
      ),
    ).toEqual({
      issues: [
        { message: "no", path: ["a", 0] },
        { message: "Does not fit the schema", path: [] },
      ],
    });
  });

  it("waits for a check that takes its time", async () => {
    const schema = jsonSchema<Book>(Book, async (value) => Value.Check(Book, value));
    expect(await validate(schema, { title: "A", pages: 1 })).toEqual({ value: { title: "A", pages: 1 } });
    expect(await validate(schema, {})).toMatchObject({ issues: [{}] });
  });

  it("C8.18 passes the check a copy, and returns the copy with what the check put in", () => {
    const ajv = new Ajv({ useDefaults: true, removeAdditional: "all" });
    const schema = jsonSchema<object>({}, ajv.compile({ type: "object", properties: { n: { default: 1 } } }));
    const sent = Object.freeze({ list: Object.freeze([Object.freeze({ x: 1 })]) });
    expect(validate(schema, sent)).toEqual({ value: { n: 1 } });
    expect(sent).toEqual({ list: [{ x: 1 }] });
  });

  it("copies lists, objects and dates to any depth", () => {
    const sent = { list: [{ at: new Date(0) }], none: null };
    let seen: typeof sent | undefined;
    validate(
      jsonSchema({}, (value) => ((seen = value as typeof sent), true)),
      sent,
    );
    expect(seen).toEqual(sent);
    expect(seen).not.toBe(sent);
    expect(seen!.list).not.toBe(sent.list);
    expect(seen!.list[0]).not.toBe(sent.list[0]);
    expect(seen!.list[0]!.at).not.toBe(sent.list[0]!.at);
  });

  it("copies a member named __proto__ as a member", () => {
    const copy = copyOf(JSON.parse('{"__proto__":{"admin":true}}')) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(["__proto__"]);
    expect(copy["admin"]).toBeUndefined();
  });

  it("copies what can be read from an instance, private fields through getters as well", () => {
    class Stored {
      title = "A";
      #pages = 1;
      get pages(): number {
        return this.#pages;
      }
    }
    const copy = copyOf(new Stored()) as Stored;
    expect({ title: copy.title, pages: copy.pages, keys: Object.keys(copy) }).toEqual({
      title: "A",
      pages: 1,
      keys: ["title"],
    });
    expect(Value.Check(Book, copy)).toBe(true);
  });

  it("copies a field that stands before a getter of the same name", () => {
    class Base {
      get title(): string {
        return "getter";
      }
    }
    const stored = Object.defineProperty(new Base(), "title", { value: "field", enumerable: true });
    expect((copyOf(stored) as Base).title).toBe("field");
  });

  it("passes a file and bytes as they are", () => {
    for (const value of [new Blob(["a"]), new Uint8Array(1), new Map()]) expect(copyOf(value)).toBe(value);
  });

  it("passes a value without a prototype to the check without one", () => {
    expect(Object.getPrototypeOf(copyOf(Object.assign(Object.create(null), { a: 1 })))).toBeNull();
  });

  it("refuses a value that holds itself, as no JSON can", () => {
    const value: Record<string, unknown> = {};
    value["self"] = value;
    expect(() => copyOf(value)).toThrow(
      new TypeError("Cannot check a value by its JSON Schema: it is nested more than 1000 times, or holds itself"),
    );
  });

  it("refuses anything but a JSON Schema, and a check that is not a function", () => {
    expect(() => jsonSchema([], () => true)).toThrow(
      new TypeError("Cannot make a schema: expected a JSON Schema, got a list"),
    );
    expect(() => jsonSchema(null as never, () => true)).toThrow(
      new TypeError("Cannot make a schema: expected a JSON Schema, got null"),
    );
    expect(() => jsonSchema(Book, undefined as never as SchemaCheck)).toThrow(
      new TypeError(
        "Cannot make a schema: expected a function that checks values, got undefined; write jsonSchema(schema, " +
          "ajv.compile(schema))",
      ),
    );
  });
});

function validate(schema: StandardSchema, value: unknown): unknown {
  return schema["~standard"].validate(value);
}

function copyOf(value: unknown): unknown {
  let seen: unknown;
  validate(
    jsonSchema({}, (copy) => ((seen = copy), true)),
    value,
  );
  return seen;
}
