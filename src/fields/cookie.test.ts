import { describe, expect, it } from "vitest";
import { parseCookies, parseCookieValues } from "./cookie.ts";

const entries = (value: string) => Object.fromEntries(parseCookies(value));

describe("parseCookies()", () => {
  it("RFC 6265 §3.1 reads its examples", () => {
    expect(entries("SID=31d4d96e407aad42")).toEqual({ SID: "31d4d96e407aad42" });
    expect(entries("SID=31d4d96e407aad42; lang=en-US")).toEqual({ SID: "31d4d96e407aad42", lang: "en-US" });
  });

  it("RFC 6265 §5.4 counts the first of several with one name", () => {
    expect(entries("a=long path; a=short path")).toEqual({ a: "long path" });
  });

  it("RFC 6265 §4.1.1 takes quotes off, and decodes nothing", () => {
    expect(entries('a="b"; c=%20; d="; e=f=g; h=')).toEqual({ a: "b", c: "%20", d: '"', e: "f=g", h: "" });
  });

  it("RFC 6265 §4.1.1 leaves a quote on one side alone", () => {
    expect(entries('a=b"; c="d')).toEqual({ a: 'b"', c: '"d' });
  });

  it("RFC 6265 §5.2 trims spaces and tabs only", () => {
    expect(entries(" a = b\t;c=\u00a0d")).toEqual({ a: "b", c: "\u00a0d" });
    // Browsers guard a prefix at the beginning of a name only: this one anyone of the site may set.
    expect(entries("\u00a0__Host-sid=evil; __Host-sid=real")).toEqual({ "__Host-sid": "real" });
  });

  it("leaves out what has no name", () => {
    expect(entries("a; =b; ;; c d=e; f=g")).toEqual({ f: "g" });
  });

  it("takes names for nothing but names", () => {
    const cookies = parseCookies("__proto__=a; constructor=b");
    expect([cookies.get("__proto__"), cookies.get("constructor"), cookies.get("toString")]).toEqual([
      "a",
      "b",
      undefined,
    ]);
  });

  it("costs time in proportion to length", () => {
    expect(parseCookies(`a=${" ".repeat(500_000)}b;${";".repeat(500_000)}`).size).toBe(1);
  });
});

describe("parseCookieValues()", () => {
  it("RFC 6265 §5.4 has each value of a name, in order", () => {
    expect([...parseCookieValues('a=1; b=2; a="3"; =4; a=1')]).toEqual([
      ["a", ["1", "3", "1"]],
      ["b", ["2"]],
    ]);
    expect(parseCookieValues("").size).toBe(0);
  });

  it("takes names for nothing but names", () => {
    const cookies = parseCookieValues("__proto__=a; __proto__=b");
    expect([cookies.get("__proto__"), cookies.get("constructor")]).toEqual([["a", "b"], undefined]);
  });

  it("costs time in proportion to length", () => {
    expect(parseCookieValues("a=b;".repeat(200_000)).get("a")).toHaveLength(200_000);
  });
});
