import { describe, expect, it } from "vitest";
import { parsePathPattern } from "../pattern/path-pattern.ts";
import { compileRemainder } from "./remainder.ts";

/** Returns the captures of a pattern without its first slash from a path without its first slash. */
const capture = (source: string, text: string, endsInSlash = false): (string | undefined)[] | null => {
  const { expression, groups } = compileRemainder(parsePathPattern(`/${source}`).segments, endsInSlash);
  expression.lastIndex = 0;
  const found = expression.exec(text);
  return found === null ? null : groups.map((group) => found[group]);
};

describe("compileRemainder()", () => {
  it("captures expressions, params and rests in order", () => {
    expect(capture("(\\d+)/:name/x/:rest*", "7/ada/x/a/b")).toEqual(["7", "ada", "a/b"]);
    expect(capture("((a)(b)?)/((?:c))", "a/c")).toEqual(["a", "c"]);
    expect(capture(":x-(\\d+)/:y.:z", "a-7/b.c.d")).toEqual(["a", "7", "b", "c.d"]);
  });

  it("matches to the end of the path or not at all, from the place where it is tried", () => {
    expect(capture("(\\d+)/x", "7/x/y")).toBeNull();
    expect(capture("(\\d+)/x", "a7/x")).toBeNull();
    expect(capture("(\\d+)", "7/")).toBeNull();
  });

  it("lets optional params be absent, from the last one on", () => {
    expect(capture("(x)/:a?/:b(\\d)?", "x")).toEqual(["x", undefined, undefined]);
    expect(capture("(x)/:a?/:b(\\d)?", "x/1")).toEqual(["x", "1", undefined]);
    expect(capture("(x)/:a?/:b(\\d)?", "x/1/2")).toEqual(["x", "1", "2"]);
    expect(capture("(x)/:a(\\d)?/:b?", "x/y")).toBeNull();
    expect(capture("(x)/:a(\\d)?/:b?", "x/y/z")).toBeNull();
  });

  it("asks for a slash at the end where it counts", () => {
    expect(capture("(x)", "x/", true)).toEqual(["x"]);
    expect(capture("(x)", "x", true)).toBeNull();
    expect(capture("(x)/:a?", "x/", true)).toEqual(["x", undefined]);
    expect(capture("(x)/:a?", "x/1/", true)).toEqual(["x", "1"]);
    expect(capture("(x)/:a?", "x/1", true)).toBeNull();
  });

  it("distinguishes rests of none from rests of an empty string", () => {
    expect(capture("(x)/*", "x")).toEqual(["x", undefined]);
    expect(capture("(x)/*", "x/")).toEqual(["x", ""]);
    expect(capture("(x)/:a+", "x/")).toBeNull();
    expect(capture("(x)/:a+", "x//")).toEqual(["x", "/"]);
  });

  it("splits a segment once: constraints accept or refuse", () => {
    expect(capture("(x)-:a-:b", "x-1-2-3")).toEqual(["x", "1", "2-3"]);
    expect(capture("(x)-:a(\\d-\\d)-:b", "x-1-2-3")).toBeNull();
    expect(capture("(x)/:a(\\d+).json", "x/7.json")).toEqual(["x", "7"]);
    expect(capture("(x)/:a(\\d+).json", "x/7.json.json")).toBeNull();
    expect(capture("(x)/:a.json/y", "x/a/b.json/y")).toBeNull();
  });

  it("takes a digit after a param as it is", () => {
    expect(capture("(x)/:a\\1", "x/71")).toEqual(["x", "7"]);
    expect(capture("(x)/:a(\\d+)0", "x/70")).toEqual(["x", "7"]);
  });

  it("matches literal text that an expression would take otherwise", () => {
    expect(capture("(x).+$[^]|", "x.+$[^]|")).toEqual(["x"]);
    expect(capture("(x).+$", "xyy$")).toBeNull();
  });

  it("throws where expressions do not compile together", () => {
    expect(() => capture("((?<n>a))/((?<n>b))", "")).toThrow(SyntaxError);
  });

  it("counts the groups of a constraint", () => {
    expect(capture("(\\d+)-:b((x)y)-:c", "1-xy-z")).toEqual(["1", "xy", "z"]);
  });

  it("takes a param whose name holds a digit for a param", () => {
    expect(capture("(a+)-:b1([a-z/]+)", "a-x/y")).toBeNull();
    expect(capture("(a+)-:b1([a-z/]+)", "a-x")).toEqual(["a", "x"]);
  });

  it("throws at once what the engine says when it first tries an expression", () => {
    const source = Array.from({ length: 10_000 }, (_, index) => `/:p${index}(\\d+)-:q${index}`).join("");
    expect(() => compileRemainder(parsePathPattern(`/(x)${source}`).segments, false)).toThrow(SyntaxError);
  });

  it("throws at once where the engine cannot compile as many segments", () => {
    const source = Array.from({ length: 100_000 }, (_, index) => `/:p${index}?`).join("");
    expect(() => compileRemainder(parsePathPattern(`/(x)${source}`).segments, false)).toThrow(SyntaxError);
  });

  it("compiles a thousand optional params in no time worth measuring", () => {
    const source = Array.from({ length: 1000 }, (_, index) => `/:p${index}?`).join("");
    expect(capture(`(x)${source}`, `x${"/1".repeat(1000)}`)).toHaveLength(1001);
  });
});
