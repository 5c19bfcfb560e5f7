import { describe, expect, it } from "vitest";
import { formatQuotedString, parseQuotedString } from "./quoted-string.ts";

describe("formatQuotedString()", () => {
  it("RFC 9110 §5.6.4 escapes quotes and backslashes, and nothing else", () => {
    expect(formatQuotedString('a "b" \\ c')).toBe('"a \\"b\\" \\\\ c"');
    expect(formatQuotedString("")).toBe('""');
  });

  it("refuses what ends a line, and what is not Latin-1", () => {
    for (const text of ["a\r\nb", "a\0", "€"]) {
      expect(() => formatQuotedString(text)).toThrow(
        new TypeError("Cannot write a quoted string: the text has control characters, or some that are not Latin-1"),
      );
    }
  });
});

describe("parseQuotedString()", () => {
  it("RFC 9110 §5.6.4 reads what was written", () => {
    for (const text of ["", "a", 'a "b" \\ c', "\\\\", "a,b;c=d"]) {
      expect(parseQuotedString(formatQuotedString(text))).toBe(text);
    }
  });

  it("returns null for anything but exactly one", () => {
    for (const text of ["", '"', "a", '"a', 'a"', 'ab"', '"a"b', '"a\\"', "'a'"])
      expect(parseQuotedString(text), text).toBeNull();
  });
});
