import { describe, expect, it } from "vitest";
import { isFieldValue, isToken } from "./token.ts";

describe("isToken()", () => {
  it("RFC 9110 §5.6.2 takes visible characters but delimiters", () => {
    for (const text of ["GET", "X-Request-Id", "!#$%&'*+-.^_`|~09azAZ"]) expect(isToken(text), text).toBe(true);
    for (const text of ["", "a b", "a:b", "a,b", 'a"', "a\n", "é", "a/b", 7, null, undefined]) {
      expect(isToken(text), String(text)).toBe(false);
    }
  });
});

describe("isFieldValue()", () => {
  it("RFC 9110 §5.5 refuses control characters and surrounding whitespace", () => {
    for (const text of ["", "a", "a b\tc", "max-age=1; x", "é"]) expect(isFieldValue(text), text).toBe(true);
    for (const text of [" a", "a ", "a\r\nb", "a\nb", "\0", "a\x7f", "€", 7]) {
      expect(isFieldValue(text), String(text)).toBe(false);
    }
  });
});
