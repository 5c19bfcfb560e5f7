import { describe, expect, it } from "vitest";
import { canonicalEscapes, encodeLiteral } from "./percent-encoding.ts";

describe("canonicalEscapes()", () => {
  it("decodes escapes of unreserved characters", () => {
    expect(canonicalEscapes("/%61%7A%41%5a%30%39%2d%2E%5f%7e")).toBe("/azAZ09-._~");
  });

  it("decodes the caret, in which URL parsers differ", () => {
    expect(canonicalEscapes("%5E%5e^")).toBe("^^^");
  });

  it("leaves the others, with upper case digits", () => {
    expect(canonicalEscapes("%2f%3A%c3%a9%25%00%7f")).toBe("%2F%3A%C3%A9%25%00%7F");
    expect(canonicalEscapes("%0a%0D%aF%Fa")).toBe("%0A%0D%AF%FA");
  });

  it("leaves every other character below 128 encoded", () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code);
      const escape = `%${code.toString(16).padStart(2, "0").toUpperCase()}`;
      expect(canonicalEscapes(escape)).toBe(/[A-Za-z0-9\-._~^]/.test(character) ? character : escape);
    }
  });

  it("leaves anything but escapes", () => {
    for (const text of [
      "%",
      "%4",
      "%zz",
      "%g1",
      "100%",
      "%%",
      "%%%",
      "%u0061",
      "%4@",
      "%@4",
      "%4`",
      "%\u0141\u0141",
      "%4\uff11",
    ])
      expect(canonicalEscapes(text)).toBe(text);
  });

  it("does not complete a percent sign to an escape", () => {
    expect(canonicalEscapes("%%36%31")).toBe("%%361");
    expect(canonicalEscapes("%4%31")).toBe("%4%31");
    expect(canonicalEscapes("%0%61")).toBe("%0%61");
    expect(canonicalEscapes("%4%4%31")).toBe("%4%4%31");
    expect(canonicalEscapes("%%%36%31")).toBe("%%%361");
    expect(canonicalEscapes("%%c3")).toBe("%%C3");
    expect(canonicalEscapes("%a%c3")).toBe("%a%C3");
  });

  it("does not decode twice", () => {
    expect(canonicalEscapes("%2561")).toBe("%2561");
    expect(canonicalEscapes("%25%36%31")).toBe("%2561");
  });
});

describe("encodeLiteral()", () => {
  it("spells text as the URL parser does", () => {
    for (const text of [
      "café",
      "a b",
      "👋",
      '"<>`{}',
      "[]|^",
      "!$&'()*+,;=:@",
      "\0\x1f\x7f",
      "-._~",
      "𝒳é%zz",
      "100%",
    ]) {
      expect(encodeLiteral(text)).toBe(new URL(`http://h/-${text}-`).pathname.slice(2, -1));
    }
  });

  it("encodes what the URL parser would take for something else", () => {
    expect(encodeLiteral("a?b#c\\d\t\n\r")).toBe("a%3Fb%23c%5Cd%09%0A%0D");
  });

  it("makes escapes canonical", () => {
    expect(encodeLiteral("%61%2f%c3%A9")).toBe("a%2F%C3%A9");
  });

  it("writes half of a surrogate pair as U+FFFD", () => {
    expect(encodeLiteral("\ud800a\udc00")).toBe("%EF%BF%BDa%EF%BF%BD");
  });
});
