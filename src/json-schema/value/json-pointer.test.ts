import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathOf, pointerOf } from "./json-pointer.ts";

describe("pointerOf()", () => {
  it.each([
    [[], "#"],
    [["foo"], "#/foo"],
    [["foo", 0], "#/foo/0"],
    [[""], "#/"],
    [["a/b"], "#/a~1b"],
    [["c%d"], "#/c%25d"],
    [["e^f"], "#/e%5Ef"],
    [["g|h"], "#/g%7Ch"],
    [["i\\j"], "#/i%5Cj"],
    [['k"l'], "#/k%22l"],
    [[" "], "#/%20"],
    [["m~n"], "#/m~0n"],
    [["é"], "#/%C3%A9"],
    [["~1"], "#/~01"],
  ])("RFC 6901 §6 writes %j as %s", (path, pointer) => {
    expect(pointerOf(path)).toBe(pointer);
  });

  it("takes steps that are objects, and symbols", () => {
    expect(pointerOf([{ key: "a" }, { key: 1 }, Symbol("s")])).toBe("#/a/1/Symbol(s)");
  });

  it("is the whole without a path", () => {
    expect(pointerOf()).toBe("#");
  });

  it("writes half of a surrogate pair, and does not throw", () => {
    expect(pointerOf(["a\ud800b"])).toBe("#/a%EF%BF%BDb");
  });
});

describe("pathOf()", () => {
  it.each([
    ["", []],
    ["/foo/0", ["foo", "0"]],
    ["/", [""]],
    ["/a~1b", ["a/b"]],
    ["/m~0n", ["m~n"]],
    ["/~01", ["~1"]],
    ["/c%d", ["c%d"]],
  ])("RFC 6901 §5 reads %j", (pointer, path) => {
    expect(pathOf(pointer)).toEqual(path);
  });

  it("reads what is in a fragment, once that is decoded", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("~", "/", "%", "0", "1", "a", "é", "😀") })), (path) => {
        expect(pathOf(decodeURIComponent(pointerOf(path).slice(1)))).toEqual(path);
      }),
    );
  });
});
