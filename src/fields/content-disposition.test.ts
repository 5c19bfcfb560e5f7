import { describe, expect, it } from "vitest";
import { formatContentDisposition } from "./content-disposition.ts";

/** Reads `filename*` as RFC 8187 §3.2 has it; null without. */
function extendedName(value: string): string | null {
  const [, encoded] = /; filename\*=UTF-8''([A-Za-z\d!#$&+\-.^_`|~%]+)$/.exec(value) ?? [];
  return encoded === undefined ? null : decodeURIComponent(encoded);
}

const plainName = (value: string): string | undefined => /; filename="([^"\\]*)"/.exec(value)?.[1];

describe("formatContentDisposition()", () => {
  it("RFC 6266 §4.2 says what to do without a name", () => {
    expect(formatContentDisposition("attachment")).toBe("attachment");
    expect(formatContentDisposition("inline", "")).toBe("inline");
  });

  it("RFC 6266 §4.3 has a plain name in filename alone", () => {
    expect(formatContentDisposition("attachment", "invoice 7.pdf")).toBe('attachment; filename="invoice 7.pdf"');
    expect(formatContentDisposition("inline", "100%.txt")).toBe('inline; filename="100%.txt"');
    expect(formatContentDisposition("inline", "a;b,c=d.txt")).toBe('inline; filename="a;b,c=d.txt"');
  });

  it("RFC 8187 §3.2 has any other name in filename*, too", () => {
    expect(formatContentDisposition("attachment", "€ rates.txt")).toBe(
      "attachment; filename=\"_ rates.txt\"; filename*=UTF-8''%E2%82%AC%20rates.txt",
    );
    for (const name of ["naïve.txt", '"quoted".txt', "%41.txt", "it's (1)*ü.txt", "файл.txt", "😀.txt"]) {
      const value = formatContentDisposition("attachment", name);
      expect(extendedName(value), value).toBe(name);
      expect(new Headers([["content-disposition", value]]).get("content-disposition")).toBe(value);
    }
  });

  it("RFC 6266 appendix D has neither escapes nor quotes in filename", () => {
    expect(plainName(formatContentDisposition("attachment", 'a"b%2fc%zzé😀.txt'))).toBe("a_b_2fc%zz__.txt");
  });

  it("RFC 6266 §4.3 has no path in either, and nothing that ends a line or turns text around", () => {
    for (const name of [
      "../../etc/passwd",
      "..\\win.ini",
      "a\r\nSet-Cookie: b",
      "a\0.txt",
      "a\u202efdp.exe",
      "\ud800.txt",
    ]) {
      const value = formatContentDisposition("attachment", name);
      expect(value).toMatch(/^attachment; filename="[^"/\\%]*"$/);
    }
    expect(formatContentDisposition("attachment", "../\u00e9")).toBe(
      "attachment; filename=\"..__\"; filename*=UTF-8''.._%C3%A9",
    );
  });

  it("writes what every header takes, for generated names", () => {
    for (let run = 0; run < 2000; run++) {
      const codes = Array.from(
        { length: 1 + (run % 7) },
        (_, at) => (run * 7919 * (at + 3)) % (run % 2 === 0 ? 256 : 65_536),
      );
      const value = formatContentDisposition("attachment", String.fromCharCode(...codes));
      expect(value).toMatch(/^attachment; filename="[\x20\x21\x23-\x7e]*"(?:; filename\*=UTF-8''[\w!#$&+\-.^`|~%]+)?$/);
      expect(value).not.toMatch(/filename="[^"]*[/\\]/);
    }
  });
});
