import { describe, expect, it } from "vitest";
import { formatRetryAfter } from "./retry-after.ts";

const date = new Date(Date.UTC(1999, 11, 31, 23, 59, 59));

describe("formatRetryAfter()", () => {
  it("RFC 9110 §10.2.3 writes its examples", () => {
    expect(formatRetryAfter(date)).toBe("Fri, 31 Dec 1999 23:59:59 GMT");
    expect(formatRetryAfter(120)).toBe("120");
  });

  it("rounds up, so that nobody comes too early", () => {
    expect([0, 0.001, 1.5].map(formatRetryAfter)).toEqual(["0", "1", "2"]);
  });

  it("refuses what is neither seconds nor a date", () => {
    for (const when of [-1, Number.NaN, Infinity, new Date(Number.NaN)]) {
      expect(() => formatRetryAfter(when)).toThrow(TypeError);
    }
  });
});
