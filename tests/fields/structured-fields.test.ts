import { describe, expect, it } from "vitest";
import { formatRateLimit, formatRateLimitPolicy } from "../../src/fields/rate-limit-fields.ts";
import { parseIdempotencyKey } from "../../src/writes/idempotency-key.ts";
import suite from "./structured-fields.json" with { type: "json" };

// Spaces around a field value are no part of it.
const items = suite.items.map(([raw, is]): [raw: string, is: string | boolean] => [
  (raw as string).replaceAll(/^ +| +$/g, ""),
  is as string | boolean,
]);

/** Not told from others: parameters mean nothing here, so that nobody decodes what has octets that are not UTF-8. */
const notUtf8 = ['%"%c3%28"', '%"%a0%a1"', '%"%e2%28%a1"', '%"%f0%28%8c%28"'];

/** Rows that are answered otherwise. */
const differing = <Row>(rows: readonly Row[], isRight: (row: Row) => boolean): readonly Row[] =>
  rows.filter((row) => !isRight(row));

describe("structured fields, by the suite of the HTTP working group", () => {
  it("reads each string, and nothing that is none", () => {
    // Text without quotes is a key, too.
    const quoted = items.filter(([raw]) => raw.startsWith('"'));
    expect(quoted.length).toBeGreaterThan(250);
    const expected = (is: string | boolean): string | null =>
      typeof is === "string" && is !== "" && is.length <= 255 ? is : null;
    expect(differing(quoted, ([raw, is]) => parseIdempotencyKey(raw) === expected(is))).toEqual([]);
  });

  it("reads a string whose parameter has an item of any kind, and none that has no item", () => {
    const values = items.filter(([raw]) => raw !== "" && !notUtf8.includes(raw));
    expect(values.length).toBeGreaterThan(800);
    expect(
      differing(values, ([raw, is]) => parseIdempotencyKey(`"k";a=${raw}`) === (is === false ? null : "k")),
    ).toEqual([]);
  });

  it("reads the keys of parameters", () => {
    const keys = suite.keys as [raw: string, isKey: boolean][];
    expect(keys.length).toBe(384);
    // A comma parts members of a dictionary, where parameters have none.
    expect(
      differing(
        keys,
        ([raw, isKey]) => parseIdempotencyKey(`"k";${raw}`) === (isKey && !raw.includes(",") ? "k" : null),
      ),
    ).toEqual([]);
  });

  it("writes strings, and refuses what no string can hold", () => {
    const strings = suite.strings as [text: string, canonical: string | null][];
    const written = [
      ...strings,
      ...items.flatMap(([raw, is]): typeof strings => (typeof is === "string" ? [[is, raw]] : [])),
    ];
    for (const [name, canonical] of written) {
      const write = (): string => formatRateLimit([{ name, available: 1 }]);
      if (canonical === null) expect(write, JSON.stringify(name)).toThrow(TypeError);
      else expect(write()).toBe(`${canonical};r=1`);
    }
  });

  it("writes whole numbers that are none of the others", () => {
    for (const [quota] of suite.integers as [number, string | null][]) {
      expect(() => formatRateLimitPolicy([{ name: "a", quota }])).toThrow(TypeError);
    }
  });
});
