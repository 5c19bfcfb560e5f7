import { describe, expect, it } from "vitest";
import { parseList, parseParts, trimmed } from "./list.ts";

describe("parseList()", () => {
  it("RFC 9110 §5.6.1.2 reads its valid examples", () => {
    expect(parseList("foo,bar")).toEqual(["foo", "bar"]);
    expect(parseList("foo ,bar,")).toEqual(["foo", "bar"]);
    expect(parseList("foo , ,bar,charlie")).toEqual(["foo", "bar", "charlie"]);
  });

  it("RFC 9110 §5.6.1.2 reads its invalid examples as empty lists", () => {
    for (const value of ["", ",", ",   ,"]) expect(parseList(value)).toEqual([]);
  });

  it("RFC 9110 §5.5 keeps commas in quoted strings", () => {
    expect(parseList('"http://example.com/a.html,foo", Sat, 04 May 1996')).toEqual([
      '"http://example.com/a.html,foo"',
      "Sat",
      "04 May 1996",
    ]);
    expect(parseList('a="x\\",y", b')).toEqual(['a="x\\",y"', "b"]);
  });

  it("returns the rest as one member if a quoted string does not end", () => {
    expect(parseList('a, "b, c')).toEqual(["a", '"b, c']);
    expect(parseList('a, "b\\')).toEqual(["a", '"b\\']);
  });

  it("costs time in proportion to length", () => {
    expect(parseList(" ,\t".repeat(400_000))).toEqual([]);
    expect(parseList("a,".repeat(400_000)).length).toBe(400_000);
    expect(parseList(`a${" ".repeat(1_000_000)}b`)).toHaveLength(1);
  });
});

describe("parseParts()", () => {
  it("RFC 9110 §5.6.6 separates by semicolons that are not quoted", () => {
    expect(parseParts('text/html ; charset="a;b" ;; q=1')).toEqual(["text/html", 'charset="a;b"', "q=1"]);
    for (const value of [";a=1", " \t; ;a=1"]) expect(parseParts(value)).toEqual(["", "a=1"]);
    expect(parseParts("")).toEqual([]);
  });
});

describe("trimmed()", () => {
  it("RFC 9110 §5.6.3 takes off spaces and tabs only", () => {
    expect(trimmed(" \ta b\t ")).toBe("a b");
    expect(trimmed("\u00a0a\r\n")).toBe("\u00a0a\r\n");
    expect(trimmed(" \t")).toBe("");
  });
});
