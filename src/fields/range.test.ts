import { describe, expect, it } from "vitest";
import { generatedRange, generator, rangeOracle } from "../../tests/content/generated-ranges.ts";
import { formatContentRange, parseRange } from "./range.ts";

describe("parseRange()", () => {
  it("RFC 9110 §14.1.2 reads its examples", () => {
    expect(parseRange("bytes=0-499", 10_000)).toEqual([{ start: 0, end: 500 }]);
    expect(parseRange("bytes=500-999", 10_000)).toEqual([{ start: 500, end: 1000 }]);
    expect(parseRange("bytes=-500", 10_000)).toEqual([{ start: 9500, end: 10_000 }]);
    expect(parseRange("bytes=9500-", 10_000)).toEqual([{ start: 9500, end: 10_000 }]);
    expect(parseRange("bytes=0-0,-1", 10_000)).toEqual([
      { start: 0, end: 1 },
      { start: 9999, end: 10_000 },
    ]);
    expect(parseRange("bytes= 0-999, 4500-5499, -1000", 10_000)).toEqual([
      { start: 0, end: 1000 },
      { start: 4500, end: 5500 },
      { start: 9000, end: 10_000 },
    ]);
  });

  it("RFC 9110 §14.1.2 cuts ranges at the end", () => {
    expect(parseRange("bytes=5-99", 10)).toEqual([{ start: 5, end: 10 }]);
    expect(parseRange("bytes=-99", 10)).toEqual([{ start: 0, end: 10 }]);
    expect(parseRange(`bytes=9-${"9".repeat(400)}`, 10)).toEqual([{ start: 9, end: 10 }]);
    expect(parseRange("bytes=000000000000000000009-0000000000000000000000009", 10)).toEqual([{ start: 9, end: 10 }]);
  });

  it("RFC 9110 §14.1.2 leaves out ranges beyond the end, and says so if none is left", () => {
    expect(parseRange("bytes=10-", 10)).toBe("unsatisfiable");
    expect(parseRange("bytes=-0", 10)).toBe("unsatisfiable");
    expect(parseRange("bytes=-0, 10-20, 30-", 10)).toBe("unsatisfiable");
    expect(parseRange(`bytes=${"9".repeat(400)}-`, 10)).toBe("unsatisfiable");
    expect(parseRange("bytes=10-20, 3-4, -0", 10)).toEqual([{ start: 3, end: 5 }]);
  });

  it("RFC 9110 §14.1.2 knows no part of nothing", () => {
    expect(parseRange("bytes=0-", 0)).toBeNull();
    expect(parseRange("bytes=5-9, -1", 0)).toBeNull();
    expect(parseRange("bytes=-1", 0)).toBeNull();
  });

  it("RFC 9110 §14.2 ignores other units, which are case-insensitive", () => {
    expect(parseRange("Bytes=0-0", 10)).toEqual([{ start: 0, end: 1 }]);
    for (const value of ["items=0-0", "byte=0-0", "bytes", "bytes:0-0", "", "0-0", "none=0-0"])
      expect(parseRange(value, 10), value).toBeNull();
  });

  it("RFC 9110 §14.2 ignores malformed members, wherever they are", () => {
    for (const member of [
      "-",
      "a",
      "1",
      "5-4",
      "1-a",
      "0x1-2",
      "+1-2",
      "1--2",
      "1 - 2",
      "1-2-3",
      '"1-2"',
      "1.0-2",
      "٣-٤",
    ]) {
      for (const value of [`bytes=${member}`, `bytes=0-0,${member}`, `bytes=${member},99-`])
        expect(parseRange(value, 10), value).toBeNull();
    }
    for (const value of ["bytes=", "bytes=,", "bytes= , ", "bytes =0-0", "bytes=0-0;x"])
      expect(parseRange(value, 10), value).toBeNull();
  });

  it("RFC 9110 §14.2 ignores ranges that overlap, in any order, but not neighbors", () => {
    for (const set of ["0-5,5-6", "5-6,0-5", "0-,-1", "2-3,0-9", "0-0,0-0", "-5,7-"])
      expect(parseRange(`bytes=${set}`, 10), set).toBeNull();
    expect(parseRange("bytes=5-,0-4", 10)).toEqual([
      { start: 5, end: 10 },
      { start: 0, end: 5 },
    ]);
  });

  it("RFC 9110 §14.2 ignores more ranges than 16, or than are allowed", () => {
    const set = (count: number): string => Array.from({ length: count }, (_, at) => `${at * 2}-${at * 2}`).join(",");
    expect(parseRange(`bytes=${set(16)}`, 100)).toHaveLength(16);
    expect(parseRange(`bytes=${set(17)}`, 100)).toBeNull();
    expect(parseRange(`bytes=${set(17)}`, 10)).toBeNull();
    expect(parseRange(`bytes=${set(2)}`, 100, 1)).toBeNull();
  });

  it("agrees with an oracle about 2,000 generated fields", () => {
    const random = generator(14);
    const seen = new Map<string, number>();
    for (let run = 0; run < 2000; run++) {
      const length = [0, 1, 2, 10, 40, 1000][random(6)]!;
      const value = generatedRange(random, length);
      // Content of no length is sent whole.
      const expected = length === 0 ? null : rangeOracle(value, length);
      const kind = expected === null ? "ignored" : Array.isArray(expected) ? String(expected.length > 1) : expected;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      expect(parseRange(value, length), `${value} of ${length}`).toEqual(expected);
    }
    // A generator that makes one kind only proves nothing.
    for (const kind of ["ignored", "unsatisfiable", "true", "false"]) expect(seen.get(kind), kind).toBeGreaterThan(50);
  });
});

describe("formatContentRange()", () => {
  it("RFC 9110 §14.4 writes its examples", () => {
    expect(formatContentRange({ start: 42, end: 1234 }, 1234)).toBe("bytes 42-1233/1234");
    expect(formatContentRange(null, 1234)).toBe("bytes */1234");
  });
});
