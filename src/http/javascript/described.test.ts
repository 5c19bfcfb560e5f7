import { describe, expect, it } from "vitest";
import { described, kindOf, nameOf } from "./described.ts";

describe("described()", () => {
  class Users {
    readonly id = 7;
  }

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    [true, "true"],
    [5, "5"],
    [7n, "7"],
    [Symbol("x"), "Symbol(x)"],
    ["a", '"a"'],
    ['a"\n', '"a\\"\\n"'],
    ["x".repeat(100), `"${"x".repeat(80)}"`],
    [Symbol("x".repeat(100)), `Symbol(${"x".repeat(73)}`],
    [[], "an array"],
    [{}, "an object"],
    [Object.create(null), "an object"],
    [{ constructor: "no function" }, "an object"],
    [{ constructor: { name: "Users" } }, "an object"],
    [new Users(), "an instance of Users"],
    [new Map(), "an instance of Map"],
    [Users, "the class Users"],
    [
      class {
        readonly id = 7;
      },
      "the class (anonymous class)",
    ],
    [() => {}, "a function"],
    [
      function of() {
        return class {
          readonly id = 7;
        };
      },
      "a function",
    ],
  ])("names %o", (value, expected) => {
    expect(described(value)).toBe(expected);
  });
});

describe("kindOf()", () => {
  it.each([
    ["secret", "a string"],
    ["", "an empty string"],
    [5, "a number"],
    [7n, "a number"],
    [Symbol("secret"), "a symbol"],
    [undefined, "undefined"],
    [null, "null"],
    [true, "true"],
    [["secret"], "an array"],
    [{ secret: 1 }, "an object"],
    [{}, "an empty object"],
    [new Map(), "an instance of Map"],
    [() => "secret", "a function"],
  ])("tells of %o nothing that it holds", (value, expected) => {
    expect(kindOf(value)).toBe(expected);
  });
});

describe("nameOf()", () => {
  it("is the name of a class, cut at 80 characters", () => {
    expect(nameOf({ name: "Users" })).toBe("Users");
    expect(nameOf({ name: "" })).toBe("(anonymous class)");
    expect(nameOf({ name: "X".repeat(100) })).toBe("X".repeat(80));
  });

  it("is text, whatever a static field called name holds", () => {
    expect(nameOf({ name: 5 as never })).toBe("5");
  });
});
