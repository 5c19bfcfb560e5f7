import { describe, expect, it } from "vitest";
import { formatHttpDate, parseHttpDate } from "./http-date.ts";

const instant = new Date(Date.UTC(1994, 10, 6, 8, 49, 37));

describe("parseHttpDate()", () => {
  it("RFC 9110 §5.6.7 reads all three forms", () => {
    for (const value of [
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ]) {
      expect(parseHttpDate(value), value).toEqual(instant);
    }
  });

  it("RFC 9110 §5.6.7 reads every month", () => {
    const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    const monthOf = (name: string) => parseHttpDate(`Sun, 06 ${name} 1994 08:49:37 GMT`)?.getUTCMonth();
    expect(names.map(monthOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("RFC 9110 §5.6.7 takes two digits that seem more than 50 years ahead for the past", () => {
    const in2026 = new Date(Date.UTC(2026, 0));
    const yearOf = (digits: string, now: Date) =>
      parseHttpDate(`Sunday, 06-Nov-${digits} 08:49:37 GMT`, now)?.getUTCFullYear();
    expect(["94", "26", "76", "77", "00"].map((digits) => yearOf(digits, in2026))).toEqual([
      1994, 2026, 2076, 1977, 2000,
    ]);
    const in1999 = new Date(Date.UTC(1999, 0));
    expect(["02", "49", "50"].map((digits) => yearOf(digits, in1999))).toEqual([2002, 2049, 1950]);
  });

  it("RFC 9110 §5.6.7 reads a leap second as the second before", () => {
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT")?.toISOString()).toBe("2016-12-31T23:59:59.000Z");
  });

  it("RFC 9110 §5.6.7 is case-sensitive, and reads nothing but GMT", () => {
    for (const value of [
      "sun, 06 nov 1994 08:49:37 gmt",
      "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 Nov 1994 08:49:37 +0000",
      "Sun, 6 Nov 1994 08:49:37 GMT",
      " Sun, 06 Nov 1994 08:49:37 GMT",
      "1994-11-06T08:49:37Z",
      "784111777",
      "",
    ]) {
      expect(parseHttpDate(value), value).toBeNull();
    }
  });

  it("returns null for days and times that do not exist", () => {
    for (const value of [
      "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT",
      "Sun, 31 Nov 1994 08:49:37 GMT",
      "Sun, 32 Dec 1994 08:49:37 GMT",
      "Sun, 99 Jan 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 08:60:00 GMT",
      "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 06 Foo 1994 08:49:37 GMT",
    ]) {
      expect(parseHttpDate(value), value).toBeNull();
    }
    expect(parseHttpDate("Thu, 29 Feb 1996 00:00:00 GMT")).not.toBeNull();
    expect(parseHttpDate("Mon, 01 Jan 0001 00:00:00 GMT")?.getUTCFullYear()).toBe(1);
  });
});

describe("formatHttpDate()", () => {
  it("RFC 9110 §5.6.7 writes the preferred form", () => {
    expect(formatHttpDate(instant)).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
  });
});
