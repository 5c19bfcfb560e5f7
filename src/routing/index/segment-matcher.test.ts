import { describe, expect, it } from "vitest";
import { longestText } from "./path-match.ts";
import { parsePathPattern } from "../pattern/path-pattern.ts";
import { SegmentMatcher } from "./segment-matcher.ts";

/**
 * The values that a segment of a pattern takes from a text; the text stands between others, to show that they are not
 * read.
 */
const take = (source: string, text: string): string[] | null => {
  const matcher = new SegmentMatcher(parsePathPattern(`/${source}`).segments[0]!);
  const captures = new Int32Array(20);
  const path = `9-.9/${text}/9.-9`;
  if (!matcher.match(path, 5, 5 + text.length, captures, 2)) return null;
  expect([...captures.slice(0, 2), ...captures.slice(2 + matcher.count)].every((number) => number === 0)).toBe(true);
  return [...captures.slice(2, 2 + matcher.count)].map((bounds) =>
    path.slice(bounds / (longestText + 1), bounds & longestText),
  );
};

describe("SegmentMatcher.match()", () => {
  it("takes what is left between literals", () => {
    expect(take("v:a", "v12")).toEqual(["12"]);
    expect(take(":a.json", "x.json")).toEqual(["x"]);
    expect(take("v:a-beta", "v1-beta")).toEqual(["1"]);
    expect(take("v:a-:b.x", "v1-2-3.x")).toEqual(["1", "2-3"]);
  });

  it("takes the shortest text before a separator, but not none", () => {
    expect(take(":a-:b-:c", "1-2-3-4")).toEqual(["1", "2", "3-4"]);
    expect(take(":a-:b", "--1")).toEqual(["-", "1"]);
    expect(take(":a--:b", "1---2")).toEqual(["1", "-2"]);
    expect(take(":a-:b", "1-")).toBeNull();
    expect(take(":a-:b", "-1")).toBeNull();
  });

  it("does not match where a literal is missing, or nothing is left", () => {
    for (const text of ["1", "v", "x1", "1v"]) expect(take("v:a", text), text).toBeNull();
    for (const text of ["a.b", ".json", "x.jsonx", "json"]) expect(take(":a.json", text), text).toBeNull();
    for (const text of ["aba", "ab", "aa"]) expect(take("ab:x-ba", text), text).toBeNull();
    expect(take(":a-:b", "12")).toBeNull();
    expect(take(":a-:b-", "1--")).toBeNull();
  });

  it("finds no separator in what belongs to the literal at the end, or to the next segment", () => {
    expect(take(":a-:b-x", "1-x")).toBeNull();
    expect(take(":a.:b", "1")).toBeNull();
  });

  it("asks constraints for each of the values, whole", () => {
    expect(take(":a(\\d+)", "123")).toEqual(["123"]);
    expect(take(":a(\\d+)", "12x")).toBeNull();
    expect(take(":a(\\d+)", "x12")).toBeNull();
    expect(take(":a(\\d+)-:b([a-f]+)", "12-abc")).toEqual(["12", "abc"]);
    expect(take(":a(\\d+)-:b([a-f]+)", "12-abg")).toBeNull();
    expect(take(":a(x|xy)", "xy")).toEqual(["xy"]);
  });

  it("asks in the same way whether it reads a table or runs an expression", () => {
    const classes = ["\\d+", "\\w+", "[a-z]+", "[\\w.-]+", "[ab\\d]+", "[$.]+", "[[(]+", "[a^]+", "[\\s_]+"];
    const texts = [
      "7",
      "a",
      "A",
      "_",
      ".",
      "-",
      "$",
      "^",
      "[",
      "(",
      "a7",
      "a.7",
      "é",
      "%41",
      "b^",
      "~",
      "\x7f",
      "\u0100",
    ];
    for (const source of classes) {
      for (const text of texts) {
        const expected = new RegExp(`^(?:${source})$`).test(text) ? [text] : null;
        expect(take(`:a(${source})`, text), `${source} ${text}`).toEqual(expected);
        expect(take(`:a((?:${source}))`, text), `${source} ${text}`).toEqual(expected);
      }
    }
  });

  it("does not let the literals at both ends overlap", () => {
    expect(take("a.:x.a", "a.a")).toBeNull();
    expect(take("a.:x.a", "a..a")).toBeNull();
    expect(take("a.:x.a", "a.b.a")).toEqual(["b"]);
  });

  it("takes ^ and $ for characters where they are", () => {
    expect(take(":a((?<a$b>x)+)", "xx")).toEqual(["xx"]);
    expect(take(":a([$^]+)", "^$")).toEqual(["^$"]);
    expect(take(":a([\\]$^]x)", "$x")).toEqual(["$x"]);
    expect(take(":a(\\$\\^)", "$^")).toEqual(["$^"]);
    expect(take(":a((?<$x>a)\\$)", "a$")).toEqual(["a$"]);
    expect(take(":a((?<=x)a|(?<!x)b)", "b")).toEqual(["b"]);
  });

  it("shows constraints nothing but the value", () => {
    expect(take(":a(\\d+(?!.))", "7")).toEqual(["7"]);
    expect(take(":a((?<!.)\\d+)", "7")).toEqual(["7"]);
    expect(take("v:a((?<!v)\\d+)", "v7")).toEqual(["7"]);
    expect(take(":a(\\d+(?=\\.x)).x", "7.x")).toBeNull();
  });
});
