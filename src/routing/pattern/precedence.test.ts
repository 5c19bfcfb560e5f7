import { describe, expect, it } from "vitest";
import { parsePathPattern } from "./path-pattern.ts";
import type { PathSegment } from "./path-segment.ts";
import { compareSegments, rankOf, shapeOf } from "./precedence.ts";

const segmentOf = (source: string): PathSegment => parsePathPattern(`/${source}`).segments[0]!;

describe("rankOf()", () => {
  it("is the order of the kinds", () => {
    const kinds = ["a", "v:x", ":x(\\d+)", ":x", ":x+"];
    expect(kinds.map((source) => rankOf(segmentOf(source)))).toEqual([0, 1, 2, 3, 4]);
  });

  it("counts a segment with an expression as one, whatever is around it", () => {
    for (const source of [
      "(\\d+)",
      "v(\\d+)",
      ":x-(\\d+)",
      "(a)(b)",
      "x(.*)",
      "(.*)(.*)",
      "(.*)x",
      "(.)",
      "((?:.*))",
      "(^.*)",
      "(.*$)",
      "([^]*)",
    ]) {
      expect(rankOf(segmentOf(source)), source).toBe(2);
    }
  });

  it("counts (.*) and (.+) alone as rests, but not a constrained param", () => {
    expect(["(.*)", "(.+)", "*", ":x*"].map((source) => rankOf(segmentOf(source)))).toEqual([4, 4, 4, 4]);
    expect([":x(.*)", ":x(.+)", "(.*?)", "((.*))"].map((source) => rankOf(segmentOf(source)))).toEqual([2, 2, 2, 2]);
  });

  it("does not ask whether a param is optional", () => {
    expect([":x?", ":x(\\d+)?"].map((source) => rankOf(segmentOf(source)))).toEqual([3, 2]);
  });
});

describe("compareSegments()", () => {
  const segmentsOf = (source: string): readonly PathSegment[] => parsePathPattern(`/${source}`).segments;
  const compare = (one: string, other: string): number => {
    const order = Math.sign(compareSegments(segmentsOf(one), segmentsOf(other), 0));
    const opposite = Math.sign(compareSegments(segmentsOf(other), segmentsOf(one), 0));
    expect(opposite + order).toBe(0);
    return order;
  };

  it("prefers the kind of the lower rank", () => {
    const kinds = ["a", "v:x", ":x(\\d+)", ":x", ":x+"];
    for (let index = 1; index < kinds.length; index++) expect(compare(kinds[index - 1]!, kinds[index]!)).toBe(-1);
  });

  it("prefers the affixed segment with more literal characters, as canonical paths spell them", () => {
    expect(compare(":x.json", ":x.:y")).toBe(-1);
    expect(compare("v:x-beta", ":x.json")).toBe(-1);
    expect(compare("é:x", "abcde:x")).toBe(-1);
    expect(compare("é:x", "abcdef:x")).not.toBe(0);
  });

  it("then the one with more expressions, then the text that comes first", () => {
    expect(compare(":x(a).b", ":x.b")).toBe(-1);
    expect(compare(":x-:y", ":x.:y")).toBe(-1);
    expect(compare(":x-:y", "-:x")).toBe(-1);
    expect(compare("a:x", "b:x")).toBe(-1);
    expect(compare("--:x(a)", "-:x-")).toBe(-1);
    expect(compare("a:x-", "aB:x")).toBe(-1);
  });

  it("leaves different expressions to the order of registration", () => {
    expect(compare(":x(a)", ":x(b)")).toBe(0);
    expect(compare(":x(a)", "(a)")).toBe(0);
    expect(compare("v:x(a)", "v:x(b)")).toBe(0);
    expect(compare("(.*)", "(.+)")).toBe(0);
  });

  it("puts the rests in order", () => {
    expect(compare("(.*)/a", ":x+")).toBe(-1);
    expect(compare("(.*)/:x?", ":x+")).toBe(-1);
    expect(compare("(.*)/:x+", ":x+")).toBe(-1);
    expect(compare(":x+", ":x*")).toBe(-1);
    expect(compare("(.*)", "*")).toBe(-1);
    expect(compare("(.*)/*", "*")).toBe(-1);
    expect(compare(":x+", "(.+)")).toBe(-1);
    expect(compare("(.*)/a", "(.+)/a")).toBe(0);
    expect(compare("(.*)", "(.+)/*")).toBe(0);
  });
});

describe("shapeOf()", () => {
  const shape = (source: string): string => shapeOf(segmentOf(source));

  it("is the same for segments that differ by names, or by being optional", () => {
    expect(shape(":x")).toBe(shape(":y"));
    expect(shape(":x?")).toBe(shape(":y"));
    expect(shape("v:x-:y")).toBe(shape("v:a-:b"));
    expect(shape(":x(\\d+)?")).toBe(shape(":y(\\d+)"));
    expect(shape(":x*")).toBe(shape("*"));
    expect(shape("%61:x")).toBe(shape("a:y"));
    expect(shape("(x)-:y1(a)")).toBe(shape("(x)-:z(a)"));
  });

  it("is different for all others", () => {
    const sources = ["a", "b", ":x", ":x+", ":x*", "(a)", ":x(a)", ":x(b)", "v:x", ":x.v"];
    const others = [
      "\\:",
      "\\+",
      "\\*",
      "\\(a\\)",
      "v\\:",
      "(a)(b)",
      "(ab)",
      "a(b)",
      "(a)b",
      ":x-:y",
      "-:x",
      "(x)-(a)",
      ":x(null)",
      "(x)-:y(a)",
      ":x-(a)",
      ":x(a)-:y",
      '"',
      '"a"',
    ];
    const shapes = [...sources, ...others].map(shape).concat(shapeOf(parsePathPattern("//").segments[0]!));
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});
