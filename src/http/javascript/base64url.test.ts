import { describe, expect, it } from "vitest";
import { formatBase64url, parseBase64url } from "./base64url.ts";

describe("formatBase64url()", () => {
  it("RFC 4648 §5 writes what Node writes", () => {
    for (let length = 0; length < 9; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => 0xff - 37 * at);
      expect(formatBase64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
    }
  });
});

describe("parseBase64url()", () => {
  it("reads what was written, with and without padding", () => {
    for (const bytes of [[0], [0xfb, 0xff], [1, 2, 3], [0xff, 0xfe, 0xfd, 0xfc]]) {
      const text = formatBase64url(Uint8Array.from(bytes));
      const padded = text + "=".repeat((4 - (text.length % 4)) % 4);
      for (const one of [text, padded]) expect(parseBase64url(one), one).toEqual(Uint8Array.from(bytes));
    }
  });

  it("returns null for anything else: other alphabets, blanks, and lengths that do not exist", () => {
    for (const text of ["", "a", "a+b/", "YWJj ", "YW Jj", "YWJj\n", "YQ===", "é"]) {
      expect(parseBase64url(text), text).toBeNull();
    }
  });
});
