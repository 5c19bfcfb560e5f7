import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isText, readingOf, Unreadable } from "./text-reading.ts";
import { TextShapes } from "./text-shape.ts";

const shapeOf = (schema: unknown) => new TextShapes({}).shapeOf(schema);
const read = (schema: unknown, text: string | Uint8Array): unknown => readingOf(shapeOf(schema))(text);

const integer = { type: "integer" };
const number = { type: "number" };
const string = { type: "string" };
const boolean = { type: "boolean" };
const nothing = { type: "null" };
const object = { type: "object" };

describe("readingOf()", () => {
  it.each<[object, string, unknown]>([
    [integer, "5", 5],
    [integer, "-5", -5],
    [integer, "0", 0],
    [integer, "5.0", 5],
    [integer, "1e2", 100],
    [integer, "9007199254740991", 9007199254740991],
    [integer, "-9007199254740991", -9007199254740991],
    [number, "5", 5],
    [number, "-0.5", -0.5],
    [number, "1E+2", 100],
    [number, "1e300", 1e300],
    [number, "9007199254740993.0", 9007199254740992],
    [boolean, "true", true],
    [boolean, "false", false],
    [string, "5", "5"],
    [string, "", ""],
    [string, " a ", " a "],
    [{}, "5", "5"],
    [{}, "true", "true"],
    [{ type: "Date" }, "2020-01-01", "2020-01-01"],
    [nothing, "null", null],
    [{ enum: ["a", "b"] }, "a", "a"],
    [{ enum: ["a", "b"] }, "c", "c"],
    [{ enum: [1, 2] }, "2", 2],
    [{ enum: [1, 2] }, "3", 3],
    [{ const: true }, "false", false],
    [{ not: {} }, "a", "a"],
  ])("C8.6 reads by %j the text %j", (schema, text, value) => {
    expect(read(schema, text)).toBe(value);
  });

  it.each<[object, string, string]>([
    ...[
      "",
      " 5",
      "5 ",
      "0x10",
      "1_000",
      "+5",
      ".5",
      "5.",
      "05",
      "--5",
      "1e",
      "Infinity",
      "NaN",
      "５",
      "a",
      "true",
      "5,6",
      "5\n",
    ].flatMap((text): [object, string, string][] => [
      [integer, text, "Expected an integer"],
      [number, text, "Expected a number"],
    ]),
    [integer, "5.5", "Expected an integer"],
    [integer, "1e-2", "Expected an integer"],
    [integer, "9007199254740992", "Expected an integer from -9007199254740991 to 9007199254740991"],
    [integer, "-9007199254740992", "Expected an integer from -9007199254740991 to 9007199254740991"],
    [integer, "1e400", "Expected an integer from -9007199254740991 to 9007199254740991"],
    [number, "9007199254740993", "Expected an integer from -9007199254740991 to 9007199254740991"],
    [number, "1e400", "Expected a number within the range of a double"],
    [number, "-1e400", "Expected a number within the range of a double"],
    ...["", "True", "TRUE", "1", "0", "yes", "on", " true"].map((text): [object, string, string] => [
      boolean,
      text,
      "Expected true or false",
    ]),
    [nothing, "", "Expected null"],
    [{ enum: [1, 2] }, "a", "Expected a number"],
    [{ enum: [true] }, "a", "Expected true or false"],
  ])("C8.15 cannot read by %j the text %j", (schema, text, detail) => {
    expect(read(schema, text)).toMatchObject({ detail });
    expect(read(schema, text)).toBeInstanceOf(Unreadable);
  });

  it.each<[string, object[], string, unknown]>([
    ["a number before text", [string, number], "5", 5],
    ["text where no number is read", [string, number], "0x10", "0x10"],
    ["text where an integer is too large", [string, integer], "9007199254740993", "9007199254740993"],
    ["text where a number has a fraction", [string, integer], "5.5", "5.5"],
    ["a boolean before text", [string, boolean], "true", true],
    ["text where no boolean is read", [string, boolean], "True", "True"],
    ["a constant string before a number", [{ const: "1" }, number], "1", "1"],
    ["another number", [{ const: "1" }, number], "2", 2],
    ["a constant string before an equal number", [{ const: 1 }, { const: "1" }], "1", "1"],
    ["a constant number before text", [{ const: 1 }, string], "1", 1],
    ["text where only one number is taken", [{ const: 1 }, string], "2", "2"],
    ["a constant before a boolean", [{ const: "true" }, boolean], "true", "true"],
    ["an enumeration of several types", [{ enum: ["x", 1, true, null] }], "true", true],
    ["null where no text is taken", [nothing, integer], "null", null],
    ["text where null may be text", [nothing, string], "null", "null"],
    ["null of an enumeration", [{ enum: ["a", null] }], "null", null],
    ["what JSON Schema cannot show as text", [{}, number], "x", "x"],
    ["a number beside what it cannot show", [{}, number], "5", 5],
  ])("C8.15 reads of a union %s, whatever its order", (_, branches, text, value) => {
    expect(read({ anyOf: branches }, text)).toBe(value);
    expect(read({ oneOf: branches.toReversed() }, text)).toBe(value);
  });

  it.each<[object[], string, string]>([
    [[integer, boolean], "0x10", "Expected an integer, or true or false"],
    [[number, nothing], "x", "Expected a number"],
    [[{ const: "auto" }, number], "0x10", 'Expected "auto", or a number'],
    [
      [{ enum: [..."abcdefghi"].map((letter) => letter.repeat(20)) }, number],
      "z",
      "Expected one of the declared texts, or a number",
    ],
    [[integer, object], "{", "Expected an integer, or JSON"],
  ])("C8.15 keeps from a union %j the text %j, which a converting schema might take", (anyOf, text, detail) => {
    expect(read({ anyOf }, text)).toMatchObject({ detail });
  });

  it("C8.16 reads an object as JSON, from text and from bytes", () => {
    for (const part of ['{"a":[1]}', new TextEncoder().encode('{"a":[1]}')])
      expect(read(object, part)).toEqual({ a: [1] });
    expect(read({ type: "array" }, "[[1]]")).toEqual([[1]]);
    expect(read({ anyOf: [object, nothing] }, "null")).toBeNull();
    expect(read(object, "{'a'}")).toMatchObject({ detail: "Expected JSON" });
    expect(read(object, Uint8Array.of(0xff))).toMatchObject({ detail: "Expected JSON" });
    expect(read(object, '{"__proto__":{}}')).toMatchObject({ detail: "Expected JSON" });
    expect(read({ anyOf: [object, string] }, '{"a":1}')).toBe('{"a":1}');
  });

  it("leaves bytes alone where no object is expected", () => {
    const bytes = new Uint8Array(1);
    for (const schema of [integer, string, {}]) expect(read(schema, bytes)).toBe(bytes);
  });

  it("reads exactly the numbers that JSON has", () => {
    const text = fc.oneof(fc.string({ unit: fc.constantFrom(..."0123456789.eE+- x") }), fc.double().map(String));
    fc.assert(
      fc.property(text, (numeral) => {
        let expected: unknown;
        try {
          expected = JSON.parse(numeral);
        } catch {
          expected = undefined;
        }
        // JSON.parse() ignores spaces around a number.
        if (numeral.trim() !== numeral || typeof expected !== "number" || !Number.isFinite(expected))
          expected = undefined;
        const isUnsafe = /^-?\d+$/.test(numeral) && !Number.isSafeInteger(expected);
        const value = read(number, numeral);
        if (expected === undefined || isUnsafe) expect(value).toBeInstanceOf(Unreadable);
        else expect(value).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it("C8.18 says nothing of the text in its detail", () => {
    const schemas = fc.constantFrom<object>(
      integer,
      number,
      boolean,
      nothing,
      object,
      { enum: [1] },
      { anyOf: [integer, boolean] },
    );
    fc.assert(
      fc.property(schemas, fc.string({ unit: fc.constantFrom(..."qxzjk"), minLength: 3 }), (schema, text) => {
        expect((read(schema, text) as Unreadable).detail).not.toContain(text);
      }),
    );
  });
});

describe("isText()", () => {
  it.each<[object, boolean]>([
    [string, true],
    [{}, true],
    [{ enum: ["a"] }, true],
    [{ anyOf: [string, number] }, true],
    [integer, false],
    [{ enum: [1, null] }, false],
  ])("tells whether %j may be a text: %j", (schema, expected) => {
    expect(isText(shapeOf(schema))).toBe(expected);
  });
});
