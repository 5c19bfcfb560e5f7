import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { Type } from "@sinclair/typebox";
import { Ajv } from "ajv";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AnswerFault } from "./answer-fitting.ts";
import { AnswerPlan } from "./answer-plan.ts";
import { jsonSchemaOf, type StandardSchema } from "../shape/standard-schema.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };
const boolean = { type: "boolean" };
const nothing = { type: "null" };
const list = (items: object) => ({ type: "array", items });
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });

const write = (schema: object, answer: unknown): string | readonly AnswerFault[] =>
  new AnswerPlan(schema as Record<string, unknown>).write(answer);

const faults = (schema: object, answer: unknown): Record<string, string> => {
  const found = write(schema, answer);
  if (typeof found === "string") throw new Error(`It was written: ${found}`);
  return Object.fromEntries(found.map(({ pointer, detail }) => [pointer, detail]));
};

describe("AnswerPlan.write()", () => {
  it.each<[object, unknown]>([
    [string, "a"],
    [string, ""],
    [string, 'a"\\\b\f\n\r\t\u0001\u2028😀'],
    [integer, 5],
    [integer, -0],
    [number, 1.5e300],
    [number, 1e21],
    [boolean, false],
    [nothing, null],
    [{ const: "a" }, "a"],
    [{ enum: [1, null] }, null],
    [{}, { a: [1, { b: null }], c: undefined }],
    [{}, 0],
    [list(integer), [1, 2]],
    [list(integer), []],
    [object({}), {}],
    [object({ a: integer, b: string }, ["a"]), { a: 1, b: "x" }],
    [object({ a: integer, b: string }, ["a"]), { b: "x", a: 1 }],
    [object({ a: integer, b: string }, ["a"]), { a: 1 }],
    [object({ a: object({ b: list(object({ c: string })) }) }), { a: { b: [{ c: "x" }, {}] } }],
    [{ type: "object" }, { any: { thing: [1] } }],
    [
      { ...object({ a: integer }), additionalProperties: string },
      { a: 1, b: "x" },
    ],
    [{ type: "object", patternProperties: { "^n": integer } }, { n1: 1 }],
    [{ anyOf: [string, nothing] }, null],
    [{ anyOf: [object({ a: integer }, ["a"]), {}] }, { a: "x" }],
    [{ anyOf: [list(string), object({ a: integer }), nothing] }, { a: 1 }],
    [{ anyOf: [list(string), object({ a: integer }), nothing] }, ["x"]],
    [{ type: "array", prefixItems: [string], items: integer }, ["a", 1, 2]],
  ])("writes by %j as JSON.stringify() does: %j", (schema, answer) => {
    expect(write(schema, answer)).toBe(JSON.stringify(answer));
  });

  it.each<[string, object, unknown, string]>([
    ["members that are not named", object({ a: integer }), { a: 1, passwordHash: "x" }, '{"a":1}'],
    ["those in lists", list(object({ a: integer })), [{ a: 1 }, { passwordHash: "x", a: 2 }], '[{"a":1},{"a":2}]'],
    ["those in members", object({ a: object({ b: integer }) }), { a: { b: 1, passwordHash: "x" } }, '{"a":{"b":1}}'],
    ["all of them where none is named", object({}), { passwordHash: "x" }, "{}"],
    [
      "those where additionalProperties is false",
      { ...object({ a: integer }), additionalProperties: false },
      { a: 1, passwordHash: "x" },
      '{"a":1}',
    ],
    [
      "those that are like no expression",
      { type: "object", patternProperties: { "^n": integer } },
      { n1: 1, passwordHash: "x" },
      '{"n1":1}',
    ],
    [
      "those of a union with null",
      { anyOf: [object({ a: integer }), nothing] },
      { a: 1, passwordHash: "x" },
      '{"a":1}',
    ],
    ["those of a union with anything", { anyOf: [object({ a: integer }), {}] }, { a: 1, passwordHash: "x" }, '{"a":1}'],
    [
      "those of an intersection",
      { allOf: [object({ a: integer }), object({ b: integer })] },
      { a: 1, b: 2, passwordHash: "x" },
      '{"a":1,"b":2}',
    ],
    [
      "those of lists in a union",
      { anyOf: [list(object({ a: integer }, ["a"])), list(object({ b: integer }, ["b"]))] },
      [
        { a: 1, x: 1 },
        { b: 1, x: 1 },
      ],
      '[{"a":1},{"b":1}]',
    ],
    [
      "those of another branch that a constant tells apart",
      {
        oneOf: [
          object({ t: { const: "user" }, name: string }, ["t"]),
          object({ t: { const: "admin" }, secret: string }, ["t"]),
        ],
      },
      { t: "user", name: "x", secret: "y" },
      '{"t":"user","name":"x"}',
    ],
    [
      "those of a branch that does not fit",
      { anyOf: [object({ name: string }, ["name"]), object({ email: string, secret: string }, ["email"])] },
      { name: "x", secret: "y" },
      '{"name":"x"}',
    ],
    ["an undefined member", object({ a: integer, b: integer }), { a: undefined, b: 1, c: undefined }, '{"b":1}'],
    ["a function and a symbol", object({ a: {}, b: {} }), { a: () => 1, b: Symbol("b") }, "{}"],
  ])("C8.9 leaves out %s", (_, schema, answer, text) => {
    expect(write(schema, answer)).toBe(text);
  });

  it("writes null, as JSON does, for a number that is not finite where anything may be", () => {
    expect(write({}, Number.NaN)).toBe("null");
    expect(write(object({ a: {}, b: list({}) }), { a: { c: Number.NaN }, b: [Infinity, 1] })).toBe(
      '{"a":{"c":null},"b":[null,1]}',
    );
  });

  it("writes what any of the branches names that may fit", () => {
    const schema = {
      anyOf: [object({ a: integer }, ["a"]), object({ a: { anyOf: [integer, string] }, b: string }, ["a"])],
    };
    expect(write(schema, { a: 1, b: "x", c: "y" })).toBe('{"a":1,"b":"x"}');
    expect(write(schema, { a: "1", b: "x", c: "y" })).toBe('{"a":"1","b":"x"}');
  });

  it("C8.9 leaves out nothing that a branch names that fits, by additionalProperties or an expression, too", () => {
    const loose = { ...object({ a: integer }, ["a"]), additionalProperties: true };
    const deep = object({ d: string }, ["d"]);
    const record = { type: "object", patternProperties: { "^x-": integer } };
    const value = { a: 1, b: { c: 1 }, "x-b": "text" };
    for (const closed of [object({ b: deep }), record, object({ b: object({ d: string }) })]) {
      expect(JSON.parse(String(write({ anyOf: [loose, closed] }, value)))).toEqual(value);
      expect(JSON.parse(String(write({ anyOf: [closed, loose] }, value)))).toEqual(value);
    }
  });

  it("leaves out what only a branch names that is not meant", () => {
    const member = object({ a: string });
    expect(write({ anyOf: [object({ a: member }), object({ b: integer })] }, { a: { a: 1 }, b: 2 })).toBe('{"b":2}');
    const conditional = {
      ...object({ t: string }),
      if: { properties: { t: { const: "n" } } },
      then: object({ n: integer }),
      else: object({ n: string, m: string }),
    };
    expect(write(conditional, { t: "n", n: 1, x: 1 })).toBe('{"t":"n","n":1}');
    expect(write(conditional, { t: "s", n: "1", m: "2" })).toBe('{"t":"s","n":"1","m":"2"}');
    expect(write(conditional, { t: "s", n: "1", m: 5 })).toBe('{"t":"s","n":"1"}');
  });

  it.each<[string, object, unknown, Record<string, string>]>([
    ["another type", string, 1, { "#": "Expected a string, got a number" }],
    ["NaN", number, Number.NaN, { "#": "Expected a number, got a number that is not finite" }],
    ["infinity", integer, Infinity, { "#": "Expected an integer, got a number that is not finite" }],
    ["a fraction", integer, 1.5, { "#": "Expected an integer, got a number" }],
    ["null", boolean, null, { "#": "Expected true or false, got null" }],
    ["another constant", { enum: ["a", 1] }, "b", { "#": 'Expected "a" or 1, got a string' }],
    [
      "none of many constants",
      { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
      0,
      { "#": "Expected one of the declared values, got a number" },
    ],
    ["another bigint", { const: 1n }, 2, { "#": "Expected 1, got a number" }],
    ["an object for a list", list(integer), {}, { "#": "Expected a list, got an object" }],
    ["a list for an object", object({}), [], { "#": "Expected an object, got a list" }],
    ["a function", object({}), () => 1, { "#": "Expected an object, got a function" }],
    ["nothing", {}, undefined, { "#": "Expected a value, got nothing" }],
    ["what cannot be", { not: {} }, 1, { "#": "Expected nothing, got a number" }],
    [
      "a required member of several types that is missing",
      object({ a: { anyOf: [string, nothing] } }, ["a"]),
      {},
      { "#/a": "Expected a string, or null, got nothing" },
    ],
    [
      "a required member that is missing",
      object({ a: integer }, ["a"]),
      {},
      { "#/a": "Expected an integer, got nothing" },
    ],
    ["one that is undefined", object({ a: {} }, ["a"]), { a: undefined }, { "#/a": "Expected a value, got nothing" }],
    [
      "one that is not described",
      { ...object({}, ["a"]), additionalProperties: false },
      {},
      { "#/a": "Expected a value, got nothing" },
    ],
    [
      "all that does not fit",
      object({ a: integer, b: list(string) }),
      { a: "x", b: ["x", 1, null] },
      {
        "#/a": "Expected an integer, got a string",
        "#/b/1": "Expected a string, got a number",
        "#/b/2": "Expected a string, got null",
      },
    ],
    ["a hole in a list", list({}), [1, undefined], { "#/1": "Expected a value, got nothing" }],
    [
      "no type of a union",
      { anyOf: [string, integer, nothing] },
      true,
      { "#": "Expected a string, or an integer, or null, got a boolean" },
    ],
    [
      "no branch that a constant tells apart",
      { oneOf: [object({ t: { const: "a" } }, ["t"]), object({ t: { const: "b" } }, ["t"])] },
      { t: "c" },
      { "#/t": 'Expected "a" or "b", got a string' },
    ],
    [
      "a member with an odd name",
      object({ "a/b~%": integer }),
      { "a/b~%": "x" },
      { "#/a~1b~0%25": "Expected an integer, got a string" },
    ],
    [
      "another member",
      { ...object({}), additionalProperties: integer },
      { a: "x" },
      { "#/a": "Expected an integer, got a string" },
    ],
    ["a bigint", integer, 1n, { "#": "Expected an integer, got a bigint" }],
    ["a bigint where anything may be", object({ a: {} }), { a: [1n] }, { "#/a/0": "Expected what JSON can write" }],
    ["an invalid date where anything may be", list({}), [new Date(Number.NaN)], { "#/0": "Expected a valid date" }],
    [
      "an invalid date beside null",
      { anyOf: [string, nothing] },
      new Date(Number.NaN),
      { "#": "Expected a valid date" },
    ],
    [
      "a set where anything may be",
      object({ a: {} }),
      { a: { b: [new Set([1])] } },
      {
        "#/a/b/0": "Expected what JSON can write",
      },
    ],
    ["bytes where anything may be", {}, new Uint8Array(1), { "#": "Expected what JSON can write" }],
    ["a map for an object", object({}), new Map([["a", 1]]), { "#": "Expected what JSON can write" }],
    ...[
      new Response("a"),
      new Request("http://localhost/"),
      new Blob(["a"]),
      new File(["a"], "a"),
      new ReadableStream(),
      new TypeError("a"),
      new DOMException("a"),
      new Headers({ a: "b" }),
      new FormData(),
      new URLSearchParams("a=b"),
      (function* () {})(),
      (async function* () {})(),
      [1].values(),
      new Map().entries(),
      new WeakRef({}),
      new SharedArrayBuffer(1),
    ].flatMap((value): [string, object, unknown, Record<string, string>][] => {
      const tag = Object.prototype.toString.call(value);
      const expected = "Expected what JSON can write";
      return [
        [`${tag} where anything may be`, {}, value, { "#": expected }],
        [`${tag} in an object`, object({ a: {} }), { a: value }, { "#/a": expected }],
        [`${tag} for an object without its members`, object({ hunter: string }), value, { "#": expected }],
      ];
    }),
    [
      "a map for an object of any members",
      { type: "object" },
      new Map([["a", 1]]),
      { "#": "Expected what JSON can write" },
    ],
    ["a hole of a list where anything may be", {}, [undefined], { "#/0": "Expected a value, got nothing" }],
  ])("C8.9 refuses %s", (_, schema, answer, expected) => {
    expect(faults(schema, answer)).toEqual(expected);
  });

  it("reports no more than a hundred faults", () => {
    expect(
      write(
        list(integer),
        Array.from({ length: 1_000 }, () => "x"),
      ),
    ).toHaveLength(100);
  });

  it("refuses what holds itself, by its shape and where anything may be", () => {
    const answer: Record<string, unknown> = { a: 1 };
    answer["next"] = answer;
    const recursive = object({ a: integer, next: { $ref: "#" } });
    const [fault] = write(recursive, answer) as AnswerFault[];
    expect(fault!.detail).toBe("Expected a value that ends, got one that holds itself, or is nested too deep");
    expect((write(object({ next: {} }), answer) as AnswerFault[])[0]!.detail).toBe(fault!.detail);
  });

  it("writes by a schema that holds itself", () => {
    const schema = { ...object({ a: integer, next: { anyOf: [{ $ref: "#" }, nothing] } }, ["a"]) };
    expect(write(schema, { a: 1, next: { a: 2, x: 1, next: { a: 3, next: null } } })).toBe(
      '{"a":1,"next":{"a":2,"next":{"a":3,"next":null}}}',
    );
    expect(faults(schema, { a: 1, next: { a: 2, next: {} } })).toEqual({
      "#/next/next/a": "Expected an integer, got nothing",
    });
    expect(new AnswerPlan(schema).isPartial).toBe(false);
  });

  it("C8.17 writes what has toJSON(), members that are named, and instances of classes", () => {
    class Failure extends Error {
      toJSON(): object {
        return { failed: true };
      }
    }
    class Book {
      title = "Kindred";
      get [Symbol.toStringTag](): string {
        return "BookMap";
      }
    }
    expect(write({}, new Failure("a"))).toBe('{"failed":true}');
    expect(write({}, new URL("http://localhost/"))).toBe('"http://localhost/"');
    expect(write({}, [new Book(), Object.create(null)])).toBe('[{"title":"Kindred"},{}]');
    expect(write(object({ message: string }, ["message"]), new Error("Late"))).toBe('{"message":"Late"}');
    expect(write(object({ name: string, size: integer }), new File(["ab"], "a"))).toBe('{"name":"a","size":2}');
  });

  it("calls toJSON() before it compares", () => {
    const date = new Date(0);
    const hidden = { secret: 1, toJSON: (key: string) => ({ key, more: 1 }) };
    expect(write(object({ at: string }), { at: date })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(write(object({ at: {} }, ["at"]), { at: date })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(write({ anyOf: [string, nothing] }, date)).toBe('"1970-01-01T00:00:00.000Z"');
    expect(write(object({ a: object({ key: string }) }), { a: hidden })).toBe('{"a":{"key":"a"}}');
    expect(write(list(object({ key: string })), [hidden])).toBe('[{"key":"0"}]');
    expect(write(object({ key: string }), hidden)).toBe('{"key":""}');
    expect(faults(object({ at: string }), { at: new Date(Number.NaN) })).toEqual({
      "#/at": "Expected a valid date",
    });
  });

  it("writes anything as JSON.stringify() does, and calls toJSON() once", () => {
    let calls = 0;
    const toJSON = (): unknown => ({ calls: ++calls, left: undefined });
    class Book {
      title = "A";
      write = (): void => {};
    }
    const answer = { at: new Date(0), by: [{ toJSON }, null, true, "a", -0.5], book: new Book(), without: undefined };
    expect(write({}, answer)).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","by":[{"calls":1},null,true,"a",-0.5],"book":{"title":"A"}}',
    );
    const plain = { b: [{}, [], null], c: { d: undefined, e: "" } };
    expect(write({}, plain)).toBe(JSON.stringify(plain));
  });

  it("writes a list that has a toJSON() of its own by its result", () => {
    const answer = Object.assign([1], { toJSON: () => ["x"] });
    expect(faults(list(integer), answer)).toEqual({ "#/0": "Expected an integer, got a string" });
  });

  it("writes lone surrogates as escapes", () => {
    expect(write(object({ a: string }), { a: "x\ud800", more: 1 })).toBe('{"a":"x\\ud800"}');
  });

  it("reads getters of a class, which read private fields, and of base classes", () => {
    class Base {
      get kind(): string {
        return "book";
      }
    }
    class Book extends Base {
      #title = "A";
      passwordHash = "x";
      get title(): string {
        return this.#title;
      }
    }
    expect(write(object({ title: string, kind: string }, ["title", "kind"]), new Book())).toBe(
      '{"title":"A","kind":"book"}',
    );
  });

  it("writes an instance whose fields are all that is named", () => {
    class Book {
      title = "A";
    }
    expect(write(object({ title: string }, ["title"]), new Book())).toBe('{"title":"A"}');
    expect(write(object({ title: string }, ["title"]), Object.create(new Book()))).toBe('{"title":"A"}');
    expect(write(object({ title: string }), Object.assign(Object.create(null), { title: "A" }))).toBe('{"title":"A"}');
  });

  it("refuses what toJSON() makes nothing of, and throws what it throws", () => {
    expect(faults({}, { toJSON: () => undefined })).toEqual({ "#": "Expected a value, got nothing" });
    const toJSON = (): never => {
      throw new Error("not yet");
    };
    expect(() => write({}, { inner: { toJSON } })).toThrow("not yet");
  });

  it("trims the items of a tuple, and what is not named as additionalProperties says", () => {
    const item = object({ a: integer });
    const extra = { a: 1, x: 1 };
    expect(write({ type: "array", prefixItems: [item], items: item }, [extra, extra])).toBe('[{"a":1},{"a":1}]');
    expect(write({ ...object({ b: item }), additionalProperties: item }, { b: extra, c: extra, d: undefined })).toBe(
      '{"b":{"a":1},"c":{"a":1}}',
    );
    class Answer {
      b = extra;
      c = extra;
      d = undefined;
    }
    const pair = JSON.parse('{"__proto__":1}') as object;
    expect(write({ ...object({ b: item }), additionalProperties: item }, Object.assign(new Answer(), pair))).toBe(
      '{"b":{"a":1},"c":{"a":1}}',
    );
    expect(
      write({ ...object({ a: integer }), additionalProperties: integer }, JSON.parse('{"a":1,"b":2,"__proto__":3}')),
    ).toBe('{"a":1,"b":2}');
  });

  it("takes no branch of a union for a function, though one may be anything", () => {
    expect(faults({ anyOf: [object({}), {}] }, () => 1)).toEqual({
      "#": "Expected an object, or a value, got a function",
    });
  });

  it("distinguishes objects by members that are lists or objects", () => {
    const schema = { anyOf: [object({ a: list(integer) }, ["a"]), object({ a: object({}) }, ["a"])] };
    expect(write(schema, { a: [1], x: 1 })).toBe('{"a":[1]}');
    expect(write(schema, { a: { x: 1 }, x: 1 })).toBe('{"a":{}}');
  });

  it("distinguishes objects by members that may be anything, too", () => {
    const schema = { anyOf: [object({ a: {}, b: {} }, ["a", "b"]), object({ a: {} }, ["a"])] };
    expect(write(schema, { a: 1, x: 1 })).toBe('{"a":1}');
    expect(write(schema, { a: 1, b: 2, x: 1 })).toBe('{"a":1,"b":2}');
  });

  it("distinguishes objects by members with a toJSON(), and refuses one that is like none", () => {
    const schema = { anyOf: [object({ at: string }, ["at"]), object({ n: integer }, ["n"])] };
    expect(write(schema, { at: new Date(0), x: 1 })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(faults(schema, { x: 1 })).toEqual({ "#": "Expected an object, got an object" });
  });

  it("lets through what a getter or toJSON() throws", () => {
    const error = new Error("no connection");
    const answer = {
      get a(): never {
        throw error;
      },
    };
    expect(() => write(object({ a: integer }), answer)).toThrow(error);
  });

  it("does not take for members what all objects have", () => {
    const schema = object({ constructor: {}, toString: {}, a: integer, ...JSON.parse('{"__proto__":{}}') });
    expect(write(schema, { a: 1, b: 1 })).toBe('{"a":1}');
    expect(write(schema, JSON.parse('{"a":1,"constructor":2,"__proto__":{"b":1}}'))).toBe('{"a":1,"constructor":2}');
    expect(write({ ...object({}), additionalProperties: {} }, JSON.parse('{"a":1,"__proto__":{"b":1}}'))).toMatch(
      /^\{"a":1/,
    );
  });

  describe("with a polluted Object.prototype", () => {
    afterEach(() => {
      delete (Object.prototype as Record<string, unknown>)["role"];
    });

    it("writes nothing that stands there, and misses what is missing", () => {
      (Object.prototype as Record<string, unknown>)["role"] = "admin";
      expect(write(object({ a: integer, role: string }), { a: 1 })).toBe('{"a":1}');
      expect(faults(object({ role: string }, ["role"]), {})).toEqual({ "#/role": "Expected a string, got nothing" });
    });
  });
});

describe("AnswerPlan of records with named keys", () => {
  const secret = { k: "x", passwordHash: "hunter2" };

  it.each<[string, object]>([
    ["an enum", { enum: ["k"] }],
    ["a constant", { const: "k" }],
    ["a pattern", { pattern: "^k" }],
    ["a reference", { $ref: "#/$defs/key" }],
  ])("C8.9 leaves out members that %s of propertyNames does not name", (_, propertyNames) => {
    const $defs = { key: { type: "string", enum: ["k"], title: "Key" } };
    for (const more of [{ additionalProperties: string }, { required: ["k"], additionalProperties: string }, {}]) {
      const plan = new AnswerPlan({ $defs, propertyNames, ...more });
      expect(plan.write(secret)).toBe('{"k":"x"}');
      expect(plan.isPartial).toBe(true);
    }
    const closed = { $defs, propertyNames, properties: { k: string }, additionalProperties: false };
    expect(write(closed, secret)).toBe('{"k":"x"}');
    const nested = { $defs, propertyNames, additionalProperties: object({ a: integer }), required: ["k"] };
    expect(write(nested, { k: { a: 1, passwordHash: "x" } })).toBe('{"k":{"a":1}}');
  });

  it.each<[string, object | boolean, boolean]>([
    ["any name", true, false],
    ["any value", {}, false],
    ["any string", { type: "string" }, false],
    ["another type", { type: "integer" }, true],
    ["constants in a union", { anyOf: [{ const: "k" }, { const: "j" }] }, true],
    ["a pattern in parts", { allOf: [{ type: "string" }, { pattern: "^p" }] }, true],
    ["a length", { type: "string", maxLength: 5 }, true],
    ["a format", { type: "string", format: "uuid" }, true],
    ["no constant", { not: { const: "passwordHash" } }, true],
    ["a condition", { if: { const: "passwordHash" }, then: false }, true],
    ["no name", false, true],
  ])("C8.9 leaves %s of propertyNames to the schema, if it says more: %j", (_, propertyNames, isPartial) => {
    const record = { type: "object", additionalProperties: string };
    expect(new AnswerPlan({ ...record, propertyNames }).isPartial).toBe(isPartial);
    expect(new AnswerPlan({ allOf: [record, { propertyNames }] }).isPartial).toBe(isPartial);
    const referring = object({ a: { $ref: "#/$defs/record", propertyNames } });
    expect(new AnswerPlan({ ...referring, $defs: { record } }).isPartial).toBe(isPartial);
  });

  it("C8.9 leaves out what a required member does not name", () => {
    const schema = { patternProperties: { "^k": object({ a: integer }) }, required: ["k"] };
    expect(write(schema, { k: { a: 1, passwordHash: "x" } })).toBe('{"k":{"a":1}}');
  });

  it.each<[string, StandardSchema]>([
    ["zod's record", z.record(z.enum(["k"]), z.string())],
    ["zod's record of a pattern", z.record(z.string().regex(/^k$/), z.string())],
    ["zod's partial record", z.partialRecord(z.enum(["k", "j"]), z.string())],
    ["Valibot's record", toStandardJsonSchema(v.record(v.picklist(["k"]), v.string()))],
    ["Valibot's record of a pattern", toStandardJsonSchema(v.record(v.pipe(v.string(), v.regex(/^k$/)), v.string()))],
  ])("C8.9 keeps a password inside with %s", (_, schema) => {
    const plan = new AnswerPlan(jsonSchemaOf(schema, "output")!);
    expect(plan.isPartial).toBe(true);
    expect(schema["~standard"].validate(secret)).toHaveProperty("issues");
    expect(plan.write(secret)).toBe('{"k":"x"}');
    expect(plan.write({ k: "x" })).toBe('{"k":"x"}');
  });
});

describe("AnswerPlan.isPartial", () => {
  it("C8.9 leaves tuples to their schema whose further items are not shown", () => {
    const partial = (schema: StandardSchema): boolean => new AnswerPlan(jsonSchemaOf(schema, "output")!).isPartial;
    expect(partial(toStandardJsonSchema(v.tuple([v.string()])))).toBe(true);
    expect(partial(toStandardJsonSchema(v.object({ t: v.optional(v.tuple([v.string()])) })))).toBe(true);
    expect(partial(toStandardJsonSchema(v.strictTuple([v.string()])))).toBe(false);
    expect(partial(toStandardJsonSchema(v.tupleWithRest([v.string()], v.number())))).toBe(false);
    expect(partial(z.tuple([z.string()]))).toBe(false);
    expect(new AnswerPlan({ type: "array", items: [string] }).isPartial).toBe(true);
  });

  it("C8.9 says where an answer has to be validated first", () => {
    expect(new AnswerPlan({ anyOf: [string, nothing] }).isPartial).toBe(false);
    expect(new AnswerPlan({ anyOf: [object({ a: integer }), object({ b: integer })] }).isPartial).toBe(true);
  });
});

describe("AnswerPlan with libraries", () => {
  const row = { id: 1, name: "Ada", passwordHash: "x", address: { city: "London", geo: [1] } };
  it.each<[string, StandardSchema]>([
    ["zod", z.object({ id: z.int(), name: z.string(), address: z.object({ city: z.string() }).optional() })],
    ["ArkType", type({ id: "number.integer", name: "string", "address?": { city: "string" } })],
  ])("C8.9 keeps a password inside with %s", (_, schema) => {
    expect(write(jsonSchemaOf(schema, "output")!, row)).toBe('{"id":1,"name":"Ada","address":{"city":"London"}}');
  });

  it("C8.9 writes what the library returned where a branch may be anything, if the library leaves out members", () => {
    const schema = { anyOf: [object({ a: string }), { anyOf: [list(object({ b: string })), {}] }] };
    const written = (isCut: boolean, value: unknown): unknown => new AnswerPlan(schema, true, isCut).write(value);
    for (const value of [{ was: {} }, { a: "x", was: 1 }, [{ b: "x", was: 1 }], "text"]) {
      expect(written(true, value)).toBe(JSON.stringify(value));
    }
    expect(written(false, { a: "x", secret: 1 })).toBe('{"a":"x"}');
    expect(written(false, [{ b: "x", secret: 1 }])).toBe('[{"b":"x"}]');
  });

  it("C8.9 keeps it inside with ArkType's unions, which keep unknown members themselves", () => {
    const user = type({ id: "number.integer", name: "string" });
    const schema = type({ user: user.or("null"), users: user.array() });
    expect(write(jsonSchemaOf(schema, "output")!, { user: row, users: [row] })).toBe(
      '{"user":{"id":1,"name":"Ada"},"users":[{"id":1,"name":"Ada"}]}',
    );
  });

  it("C8.9 keeps it inside with TypeBox", () => {
    const schema = Type.Union([Type.Object({ id: Type.Integer(), name: Type.String() }), Type.Null()]);
    expect(write(schema, row)).toBe('{"id":1,"name":"Ada"}');
  });
});

describe("AnswerPlan, for any answer", () => {
  // Ajv compiles a schema or more for each try: this leaves out most of what that costs.
  const quick = { strict: false, validateSchema: false, code: { optimize: false } } as const;
  const leaf = fc.constantFrom<object>(string, integer, number, boolean, nothing, { enum: ["a", 1] }, {});
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      tie("schema").map(list),
      fc
        .dictionary(fc.constantFrom("a", "b", "c"), tie("schema"))
        .chain((properties) => fc.subarray(Object.keys(properties)).map((required) => object(properties, required))),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    ),
  }));
  const value = fc.jsonValue({ maxDepth: 4 });
  const named = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("a", "x", 1, 1.5, true, null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value")),
    ),
  })).value;

  it("C8.9 writes each member that a branch names of which the answer is one", () => {
    const ajv = new Ajv(quick);
    const branch = fc
      .record({
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), schema, { maxKeys: 2 }),
        additionalProperties: fc.option(fc.oneof(fc.constant(true), schema), { nil: undefined }),
        patternProperties: fc.option(fc.dictionary(fc.constantFrom("^[ab]$", "^x"), schema, { maxKeys: 1 }), {
          nil: undefined,
        }),
      })
      .map((members) => ({ type: "object", ...(JSON.parse(JSON.stringify(members)) as object) }));
    const answers = fc.dictionary(fc.constantFrom("a", "b", "c", "x", "y"), named);
    const numRuns = process.env["FINGERPOST_WHOLE"] === undefined ? 150 : 500;
    let tried = 0;
    fc.assert(
      fc.property(fc.array(branch, { minLength: 2, maxLength: 3 }), answers, (anyOf, answer) => {
        const fitting = anyOf.filter((one) => ajv.validate(one, answer)) as ((typeof anyOf)[number] &
          Record<string, object>)[];
        fc.pre(fitting.length > 0);
        tried++;
        const written = JSON.parse(String(new AnswerPlan({ anyOf }).write(answer))) as object;
        for (const { properties, patternProperties = {}, additionalProperties } of fitting) {
          for (const name of Object.keys(answer)) {
            const isNamed =
              Object.hasOwn(properties!, name) ||
              additionalProperties !== undefined ||
              Object.keys(patternProperties).some((pattern) => new RegExp(pattern).test(name));
            if (isNamed) expect(written).toHaveProperty([name]);
          }
        }
      }),
      { numRuns },
    );
    expect(tried).toBe(numRuns);
  });

  it("writes what its JSON Schema takes, as Ajv reads it, and nothing else", () => {
    const ajv = new Ajv(quick);
    fc.assert(
      fc.property(schema, fc.oneof(named, value), (jsonSchema, answer) => {
        const plan = new AnswerPlan(jsonSchema as Record<string, unknown>);
        const isValid = ajv.validate(jsonSchema, answer);
        if (plan.isPartial && !isValid) return;
        const written = plan.write(answer);
        expect(typeof written === "string").toBe(isValid);
        if (typeof written !== "string") return;
        const read: unknown = JSON.parse(written);
        expect(ajv.validate(jsonSchema, read)).toBe(true);
        if (!plan.isPartial) expect(plan.write(read)).toBe(written);
      }),
      { numRuns: 300 },
    );
  });
});
