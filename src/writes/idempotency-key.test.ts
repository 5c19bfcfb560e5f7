import { describe, expect, it } from "vitest";
import { parseIdempotencyKey } from "./idempotency-key.ts";

describe("parseIdempotencyKey()", () => {
  it.each([
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', "8e03978e-40d5-43dd-bc93-6894a57f9324"],
    ["8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"],
    ['"a b"', "a b"],
    [String.raw`"a\"\\b"`, String.raw`a"\b`],
    ['"a";p', "a"],
    ['"a"; p=1;q="x;y";*r=?1;s=:aGk=:;t=@-1;u=%"%c3%a9";v=tok/en;w=-1.5', "a"],
    ["a;b=c", "a;b=c"],
    [`"${"x".repeat(255)}"`, "x".repeat(255)],
  ])("reads %s", (value, key) => {
    expect(parseIdempotencyKey(value)).toBe(key);
  });

  it.each([
    "",
    '""',
    '"a", "b"',
    "a, b",
    "a b",
    'a"b',
    '"a',
    '"a"b',
    '"a";',
    '"a";P',
    '"a";p=',
    '"a";p=:a=b:',
    '"a";p=1234567890123.0',
    `"a";p=%"%C3%BC"`,
    `"a";p=%"%"`,
    String.raw`"a\b"`,
    '"é"',
    "é",
    "\t",
    `"${"x".repeat(256)}"`,
    "x".repeat(256),
  ])("refuses %s", (value) => {
    expect(parseIdempotencyKey(value)).toBeNull();
  });

  it("reads a long value once", () => {
    expect(parseIdempotencyKey(`"a"${';p="x"'.repeat(20_000)}!`)).toBeNull();
    expect(parseIdempotencyKey(`"${"\\\\".repeat(50_000)}`)).toBeNull();
  });
});
