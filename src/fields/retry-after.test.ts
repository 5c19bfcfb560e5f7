import { describe, expect, it } from "vitest";
import { formatRetryAfter } from "./retry-after.ts";

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
