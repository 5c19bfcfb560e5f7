import { describe, expect, it } from "vitest";
import { formatRateLimit, formatRateLimitPolicy } from "./rate-limit-fields.ts";

describe("formatRateLimitPolicy()", () => {
  it("draft-ietf-httpapi-ratelimit-headers-11 §3 writes its examples", () => {
    expect(formatRateLimitPolicy([{ name: "default", quota: 100, windowSeconds: 10 }])).toBe('"default";q=100;w=10');
    expect(
      formatRateLimitPolicy([
        { name: "permin", quota: 50, windowSeconds: 60 },
        { name: "perhr", quota: 1000, windowSeconds: 3600 },
      ]),
    ).toBe('"permin";q=50;w=60, "perhr";q=1000;w=3600');
  });

  it("draft-ietf-httpapi-ratelimit-headers-11 §3.1.3 refuses an empty window", () => {
    expect(() => formatRateLimitPolicy([{ name: "a", quota: 1, windowSeconds: 0 }])).toThrow(
      new TypeError("Cannot write RateLimit-Policy: a window must not be empty"),
    );
  });
});

describe("formatRateLimit()", () => {
  it("draft-ietf-httpapi-ratelimit-headers-11 §4 writes its example", () => {
    expect(formatRateLimit([{ name: "default", available: 50, windowSeconds: 30 }])).toBe('"default";r=50;t=30');
    expect(formatRateLimit([{ name: "a", available: 0 }])).toBe('"a";r=0');
    expect(
      formatRateLimit([
        { name: "a", available: 0 },
        { name: "b", available: 999_999_999_999_999 },
      ]),
    ).toBe('"a";r=0, "b";r=999999999999999');
  });

  it("RFC 9651 §4.1.6 escapes a name, and refuses one that is not printable ASCII", () => {
    expect(formatRateLimit([{ name: 'a"\\', available: 0 }])).toBe('"a\\"\\\\";r=0');
    for (const name of ["é", "a\n"]) {
      expect(() => formatRateLimit([{ name, available: 0 }])).toThrow(
        new TypeError("Cannot write a structured field: a name must be printable ASCII"),
      );
    }
  });

  it("RFC 9651 §3.3.1 refuses anything but an integer of 15 digits, and a negative one", () => {
    for (const available of [-1, 0.5, 1e15, Number.NaN]) {
      expect(() => formatRateLimit([{ name: "a", available }])).toThrow(
        new TypeError("Cannot write a structured field: r must be a whole number of at most 15 digits, not negative"),
      );
    }
  });
});
