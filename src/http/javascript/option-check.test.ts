import { describe, expect, it, onTestFinished } from "vitest";
import { OptionCheck } from "./option-check.ts";

interface Options {
  readonly one?: unknown;
  readonly two?: unknown;
}

const checkOf = (options: unknown): OptionCheck<Options> => new OptionCheck("make", options as Options, ["one", "two"]);
const refusal = (text: string): TypeError => new TypeError(`Cannot call make(): ${text}`);
const wrong = (expected: string, given: string): TypeError =>
  refusal(`its option "one" must be ${expected}, got ${given}`);

describe("OptionCheck", () => {
  it("C7.4 refuses anything but an object, and shows nothing that it holds", () => {
    const given = {
      null: null,
      undefined: undefined,
      "a string": "secret",
      "a number": 5,
      "an array": [],
      "a function": () => {},
    };
    for (const [kind, value] of Object.entries(given)) {
      expect(() => checkOf(value)).toThrow(refusal(`its options must be an object, got ${kind}`));
    }
  });

  it("C7.4 refuses names that are not known, with those that are", () => {
    expect(() => checkOf({ one: 1, three: 3 })).toThrow(refusal('it has no option "three"; write one of one, two'));
  });

  it("returns what was given, and not what someone put on all objects", () => {
    Object.assign(Object.prototype, { two: "theirs" });
    onTestFinished(() => void Reflect.deleteProperty(Object.prototype, "two"));
    const { options } = checkOf({ one: 1 });
    expect([options.one, options.two]).toEqual([1, undefined]);
    expect(Object.getPrototypeOf(options)).toBeNull();
  });

  it("requires what it is told to, and shows no secret", () => {
    const check = checkOf({});
    check.require(true, "one", "here", "secret");
    check.requireSecret(true, "one", "here", "secret");
    expect(() => check.require(false, "one", "here", "secret")).toThrow(wrong("here", '"secret"'));
    expect(() => check.requireSecret(false, "one", "here", "secret")).toThrow(wrong("here", "a string"));
  });

  it("requires one of two options, and shows neither", () => {
    for (const options of [{ one: "a" }, { two: "a" }, { one: null }]) checkOf(options).either("one", "two");
    const both = wrong('given, or else "two", not both', "a string");
    expect(() => checkOf({ one: "a", two: "b" }).either("one", "two")).toThrow(both);
    const none = wrong('given, or else "two", not both', "undefined");
    expect(() => checkOf({}).either("one", "two")).toThrow(none);
  });

  it("requires a plain object that has members", () => {
    checkOf({ one: { ada: "secret" } }).secrets("one", "here");
    for (const [value, given] of [
      [{}, "an empty object"],
      [["secret"], "an array"],
      [new Map([["ada", "secret"]]), "an instance of Map"],
      [null, "null"],
      ["secret", "a string"],
    ] as const) {
      expect(() => checkOf({ one: value }).secrets("one", "here")).toThrow(wrong("here", given));
    }
  });

  it.each([
    ["boolean", "true or false", [true, false], [0, "true", null]],
    ["function", "a function", [() => {}, Object], [{}, "f", null]],
    ["printable", "printable ASCII", ["a", " ~"], ["", "\n", "éa", "a\x7f", 5, null]],
    ["attribute", "an Attribute", [{ set() {} }], [{}, { set: 1 }, "set", null]],
    ["count", "a whole number that is not negative", [0, 7], [-1, 0.5, Number.NaN, 2 ** 53, "7", null]],
    ["positive", "a whole number from 1 on", [1, 7], [0, -1, 1.5, Number.NaN, 2 ** 53, "7", null]],
  ] as const)("requires, where it is given, what fits: %s", (kind, expected, right, others) => {
    for (const value of [undefined, ...right]) checkOf({ one: value })[kind]("one");
    for (const value of others) {
      expect(() => checkOf({ one: value })[kind]("one")).toThrow(`"one" must be ${expected}, got `);
      expect(() => checkOf({ two: value })[kind]("one", "two")).toThrow(`"two" must be ${expected}, got `);
    }
  });

  it("requires an array, where it is given, whose members all fit", () => {
    const isText = (member: unknown): boolean => typeof member === "string";
    for (const value of [undefined, [], ["a", "b"]]) checkOf({ one: value }).list("one", isText, "texts");
    expect(() => checkOf({ one: "a" }).list("one", isText, "texts")).toThrow(wrong("an array of texts", '"a"'));
    expect(() => checkOf({ one: ["a", 5] }).list("one", isText, "texts")).toThrow(wrong("an array of texts", "5"));
  });
});
