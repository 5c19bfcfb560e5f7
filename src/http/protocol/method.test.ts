import { describe, expect, it } from "vitest";
import { isMethod, methods } from "./method.ts";

describe("isMethod()", () => {
  it("accepts the nine methods", () => {
    expect(methods.map(isMethod)).toEqual(Array(9).fill(true));
  });

  it("C3.3 refuses every other token", () => {
    const tokens = ["get", "Get", "", " GET", "GET ", "GET\0", "ALL", "PURGE", "PROPFIND", "QUERY", "TRACK", "paths"];
    const inherited = ["constructor", "__proto__", "toString", "hasOwnProperty", "length", "0"];
    for (const token of [...tokens, ...inherited, "X".repeat(10_000)]) expect(isMethod(token)).toBe(false);
  });

  it("refuses what is not a string", () => {
    for (const token of [undefined, null, 0, {}, ["GET"], Symbol("GET"), Object("GET")])
      expect(isMethod(token)).toBe(false);
  });

  it("is not deceived by a polluted Object.prototype", () => {
    Object.assign(Object.prototype, { PURGE: () => "pwned" });
    try {
      expect(isMethod("PURGE")).toBe(false);
    } finally {
      delete (Object.prototype as { PURGE?: unknown }).PURGE;
    }
  });
});
