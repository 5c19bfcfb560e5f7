import { describe, expect, it } from "vitest";
import { formatRetryAfter, parseRetryAfter } from "./retry-after.ts";

describe("formatRetryAfter()", () => {
  it("RFC 9110 §10.2.3 writes its example of seconds", () => {
    expect(formatRetryAfter(120)).toBe("120");
  });

  it("rounds up, so that nobody comes too early", () => {
    expect([0, 0.001, 1.5].map(formatRetryAfter)).toEqual(["0", "1", "2"]);
  });

  it("refuses anything but a number of seconds", () => {
    for (const seconds of [-1, Number.NaN, Infinity]) {
      expect(() => formatRetryAfter(seconds)).toThrow(
        new TypeError("Cannot write Retry-After: expected seconds, not negative"),
      );
    }
  });
});

describe("parseRetryAfter()", () => {
  it("RFC 9110 §10.2.3 reads seconds and dates", () => {
    expect(parseRetryAfter("120")).toBe(120_000);
    expect(parseRetryAfter("Fri, 31 Dec 1999 23:59:59 GMT")).toBe(0);
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    expect(parseRetryAfter(later)).toBeGreaterThan(3_500_000);
  });

  it("takes nothing else", () => {
    for (const value of ["", "-1", "1.5", "soon", "1, 2", " 1"]) expect(parseRetryAfter(value)).toBeNull();
  });
});
