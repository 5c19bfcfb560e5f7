import { describe, expect, it } from "vitest";
import { parsePathPattern, PathPatternError } from "./path-pattern.ts";
import { encodeLiteral } from "../percent-encoding.ts";
import type { PathParam, PathSegment } from "./path-segment.ts";

const segmentOf = (source: string): PathSegment => parsePathPattern(source).segments.at(-1)!;
const expressionOf = (source: string): string | null =>
  (segmentOf(source).pieces.find((piece) => typeof piece === "object") as PathParam).expression;
const param = (name: string, expression: string | null = null): object => ({ name, expression });

describe("parsePathPattern()", () => {
  it("detects the kinds of segments", () => {
    const kinds: Record<string, string> = {
      "/a": "static",
      "//": "static",
      "/:a": "param",
      "/:a?": "param",
      "/:a(\\d)": "constrained",
      "/:a(\\d)?": "constrained",
      "/v:a": "affixed",
      "/:a.:b": "affixed",
      "/:a(\\d).x": "affixed",
      "/(a)": "expression",
      "/v(a)": "expression",
      "/:a-(a)": "expression",
      "/(a)-:a": "expression",
      "/(a)-:a(b)": "expression",
      "/:a+": "rest",
      "/:a*": "rest",
      "/*": "rest",
    };
    for (const [source, kind] of Object.entries(kinds)) expect(segmentOf(source).kind, source).toBe(kind);
  });

  it("takes segments apart into text and params", () => {
    expect(segmentOf("/x:a(\\d+)-:b.json")).toEqual({
      kind: "affixed",
      pieces: ["x", param("a", "\\d+"), "-", param("b"), ".json"],
      isOptional: false,
      source: "x:a(\\d+)-:b.json",
    });
    expect(segmentOf("/(a)(b)c:d").pieces).toEqual([param("0", "a"), param("1", "b"), "c", param("d")]);
    expect(segmentOf("/a/*").pieces).toEqual([param("0")]);
    expect(segmentOf("//").pieces).toEqual([""]);
  });

  it("writes text as canonical paths spell it, and keeps the source", () => {
    expect(segmentOf("/caf%c3%a9 %61\\:")).toMatchObject({ pieces: ["caf%C3%A9%20a:"], source: "caf%c3%a9 %61\\:" });
    expect(segmentOf("/é:a").pieces).toEqual(["%C3%A9", param("a")]);
  });

  it("does not take a slash inside an expression for the end of a segment", () => {
    const { segments } = parsePathPattern("/a/(b/c)/:d(e/f)/g");
    expect(segments.map(({ source }) => source)).toEqual(["a", "(b/c)", ":d(e/f)", "g"]);
  });

  it("keeps names in order, expressions and * by their numbers", () => {
    expect(parsePathPattern("/:b/(x)/:a-(y)/*").names).toEqual(["b", "0", "a", "1", "2"]);
    expect(parsePathPattern("/:b?/:a?").names).toEqual(["b", "a"]);
    expect(parsePathPattern("/a").names).toEqual([]);
  });

  it("takes any JavaScript identifier for a name, and no more", () => {
    const name = (source: string): unknown => (segmentOf(source).pieces[0] as { name: string }).name;
    for (const text of ["a", "$", "_", "é", "a1", "名前", "𝒳", "a\u200c", "__proto__", "idé", "größe2", "x𝒳y"])
      expect(name(`/:${text}-x`)).toBe(text);
    expect(segmentOf("/:a-b").pieces).toEqual([param("a"), "-b"]);
    expect(segmentOf("/:a€").pieces).toEqual([param("a"), "%E2%82%AC"]);
    expect(segmentOf("/:é€:b").pieces).toEqual([param("é"), "%E2%82%AC", param("b")]);
  });

  it("refuses what no identifier begins with", () => {
    for (const text of ["", "1a", "-a", "?", "\u200c"])
      expect(errorOf(`/:${text}`).message).toContain('":" without a name');
  });

  it("reads text up to what means something, or would be misplaced", () => {
    expect(segmentOf("/a.b-é:c").pieces[0]).toBe("a.b-%C3%A9");
    expect(segmentOf("/a.b-é(c)").pieces[0]).toBe("a.b-%C3%A9");
    for (const character of "?#{}*)") expect(errorOf(`/xa.b-é${character}`)).toMatchObject({ index: 7 });
  });

  it("reads escaped characters as text, whatever they are", () => {
    for (const character of ":()*?#{}\\+")
      expect(segmentOf(`/a\\${character}b`).pieces).toEqual([encodeLiteral(`a${character}b`)]);
    expect(segmentOf("/\\𝒳\\é\\\n\\%41").pieces).toEqual(["%F0%9D%92%B3%C3%A9%0AA"]);
    expect(segmentOf("/\\a\\\\\\:b:c").pieces).toEqual(["a%5C:b", param("c")]);
  });

  it("detects what is optional", () => {
    const optional = (source: string): boolean => segmentOf(source).isOptional;
    expect(["/:a?", "/:a(\\d)?", "/:a*", "/*"].map(optional)).toEqual([true, true, true, true]);
    expect(["/a", "/:a", "/:a+", "/(a?)", "/a\\?", "/:a-\\?"].map(optional)).not.toContain(true);
  });

  it("detects a trailing slash, which the root has", () => {
    const hasSlash = (source: string): boolean => parsePathPattern(source).hasTrailingSlash;
    expect(["/", "/a/", "/:a?/", "/(a)/", "//"].map(hasSlash)).toEqual([true, true, true, true, true]);
    expect(["/a", "/:a?", "/*", "/a//b"].map(hasSlash)).not.toContain(true);
    expect(parsePathPattern("/").segments).toEqual([]);
    expect(parsePathPattern("/a//").segments).toHaveLength(2);
  });

  it("detects a pattern that ends in an expression or rest", () => {
    const isOpen = (source: string): boolean => parsePathPattern(source).isOpen;
    expect(["/(a)", "/x(a)", "/:a-(b)", "/*", "/:a+", "/:a*"].map(isOpen)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(["/", "/a", "/:a", "/:a(b)", "/(a)/", "/(a)b", "/(a)-:b", "/(a)/:b?", "/x:a(b)"].map(isOpen)).not.toContain(
      true,
    );
  });

  it("takes dots for text where they do not fill their segment", () => {
    expect(["/.:a", "/..(a)", "/:a..", "/...", "/.a", "/a."].map((source) => segmentOf(source).pieces[0])).toEqual([
      ".",
      "..",
      param("a"),
      "...",
      ".a",
      "a.",
    ]);
  });

  it("names the class that the pattern belongs to, if there is one", () => {
    expect(() => parsePathPattern("a", "Users")).toThrow(
      'Cannot parse path pattern of Users: no leading slash; write "/a"',
    );
    expect(() => parsePathPattern("a")).toThrow("Cannot parse path pattern: no leading slash");
  });

  it("quotes no more than 80 characters of what it refuses", () => {
    const long = "a".repeat(500);
    const sources = [
      long,
      `http://h/${long}`,
      `/:${long}/:${long}`,
      `/:a?/${long}`,
      `/:${long}?/b`,
      `/:${long}*/b`,
      `/:${long}+/:b${long}+`,
      `/:a(${long})+`,
    ];
    for (const source of [...sources, `/:${long}*/`, `/(?:${long})`, `/(${long}**)`]) {
      const message = errorOf(source).message.split("\n")[0]!;
      expect(message.length, message).toBeLessThan(280);
      expect(message).not.toContain("a".repeat(81));
    }
  });
});

describe("an expression of a path pattern", () => {
  it("reads up to the parenthesis that balances the first", () => {
    expect(expressionOf("/x(a(b)c)d")).toBe("a(b)c");
    expect(expressionOf("/(a)(b)")).toBe("a");
    expect(expressionOf("/(((a)))")).toBe("((a))");
  });

  it("passes over escaped parentheses and those in character classes", () => {
    expect(expressionOf("/(a\\)b)")).toBe("a\\)b");
    expect(expressionOf("/(\\(a)")).toBe("\\(a");
    expect(expressionOf("/([)(]+)")).toBe("[)(]+");
    expect(expressionOf("/([\\])]+)")).toBe("[\\])]+");
    expect(expressionOf("/([^]a)b")).toBe("[^]a");
  });

  it("finds the parenthesis that is not closed", () => {
    const fault = 'unbalanced parenthesis; write "\\\\(" for the character';
    expect(errorOf("/x(a")).toMatchObject({ message: expect.stringContaining(fault), index: 2 });
    expect(errorOf("/((a)")).toMatchObject({ message: expect.stringContaining(fault), index: 1 });
    expect(errorOf("/([)")).toMatchObject({ message: expect.stringContaining(fault), index: 1 });
    expect(errorOf("/(a\\")).toMatchObject({ message: expect.stringContaining(fault), index: 1 });
  });

  it("finds back references, by number and by name", () => {
    const fault = "back references cannot be used; write the alternatives out";
    expect(errorOf("/((a)\\1)")).toMatchObject({ message: expect.stringContaining(fault), index: 5 });
    expect(errorOf("/(a\\9)")).toMatchObject({ message: expect.stringContaining(fault), index: 3 });
    expect(errorOf("/((?<n>a)\\k<n>)")).toMatchObject({ message: expect.stringContaining(fault), index: 9 });
  });

  it("takes no other escape for a back reference", () => {
    for (const source of ["\\0", "\\\\1", "[\\1]", "\\d1", "\\k", "a\\.1"]) {
      expect(expressionOf(`/(${source})`)).toBe(source);
    }
  });

  it("refuses an empty expression", () => {
    const fault = 'invalid expression: it is empty; write "\\\\(\\\\)" for the characters';
    expect(errorOf("/a()")).toMatchObject({ message: expect.stringContaining(fault), index: 2 });
  });

  it("refuses a group in place of an expression, and says where it belongs", () => {
    const fault = 'invalid expression: write "((?:a))", a group inside the parentheses';
    expect(errorOf("/(?:a)")).toMatchObject({ message: expect.stringContaining(fault), index: 1 });
    expect(errorOf(`/(?:${"a".repeat(500)})`).message).toContain(
      `invalid expression: write "((?:${"a".repeat(78)}))", a group inside the parentheses`,
    );
  });

  it("reports what the engine says of an invalid expression, in short", () => {
    const fault = "invalid expression: Range out of order in character class";
    expect(errorOf("/([b-a])")).toMatchObject({ message: expect.stringContaining(`: ${fault}\n`), index: 1 });
    expect(errorOf(`/(${"a".repeat(500)}**)`).message).toMatch(/: invalid expression: .{1,80}\n/);
  });
});

describe("PathPatternError", () => {
  it("shows the pattern with a caret under the column", () => {
    const error = new PathPatternError("a reason", "/users/:", 7, "Users");
    expect(error.message).toBe("Cannot parse path pattern of Users: a reason\n  /users/:\n         ^");
    expect(error).toMatchObject({ name: "PathPatternError", pattern: "/users/:", index: 7 });
    expect(error).toBeInstanceOf(SyntaxError);
  });

  it("does without the name of a class", () => {
    expect(new PathPatternError("a reason", "a", 0).message).toBe("Cannot parse path pattern: a reason\n  a\n  ^");
  });

  it("shows no place in a pattern that is empty", () => {
    expect(new PathPatternError("a reason", "", 0).message).toBe("Cannot parse path pattern: a reason");
  });

  it("shows a part of a long pattern, with the caret in the middle", () => {
    const [, shown, caret] = new PathPatternError(
      "a reason",
      `/${"a".repeat(200)}:${"b".repeat(200)}`,
      201,
    ).message.split("\n");
    expect(shown).toBe(`  ${"a".repeat(40)}:${"b".repeat(39)}`);
    expect(caret).toBe(`  ${" ".repeat(40)}^`);
  });

  it("keeps a line break in the pattern from breaking the message", () => {
    const lines = new PathPatternError("a reason", "/a\nb\0c\u0085d\x7f", 2).message.split("\n");
    expect(lines).toEqual(["Cannot parse path pattern: a reason", "  /a b c d ", "    ^"]);
  });
});

function errorOf(source: string): Error {
  try {
    parsePathPattern(source);
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${source} was accepted`);
}
