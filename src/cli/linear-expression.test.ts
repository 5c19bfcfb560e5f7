import { check } from "recheck";
import { describe, expect, it } from "vitest";
import { isPlainlyLinear } from "./linear-expression.ts";

/** An expression as one param has it run. */
const alone = (source: string): string => `^(?:${source})$`;

const plain = [
  "a?b?c?",
  "a?b{3}c*",
  "a|b|c",
  "a{2,4}|b{2}c+",
  "\\d+",
  "[a-z]*",
  "[^/]+?",
  ".*",
  "x{2,}",
  "\\d{4}-\\d{2}-\\d{2}",
  "97[89]\\d{10}",
  "v\\d+",
  "-?\\d+",
  "asc|desc",
  "\\d+|[a-z]+",
  "[^\\]]+\\]",
  "[^]*",
  "[a\\]b]+",
  "\\u0041+",
  "\\x41\\cA\\0\\/\\.",
  ".+\\.txt",
  "",
  ".+a{9}",
];

const other = [
  "a?b?c*",
  "a+|b*c*",
  "|+",
  "a**",
  "[a-z]+-\\d+",
  "[\\da-f]{8}(?:-[\\da-f]{4})?",
  "\\d+\\.\\d+\\.\\d+",
  "(?<year>\\d{4})",
  "[a-z]{2}(?:-[A-Z]{2})?",
  "(?:asc|desc)-\\d+",
  "\\d{1,3}\\.\\d{1,3}",
  "a(b(c))",
  "(a+)+",
  "(a|b)*",
  "(?:a|a)+",
  "(?:ab)+",
  "a*a*",
  "a+a+b",
  ".*-.*",
  "\\d+\\w+",
  "[a-z]+-?[a-z]+",
  "a?".repeat(10),
  "(?:a|b)".repeat(10),
  "a{0,20}a{0,20}a{0,20}",
  ".*a?a?a?a?a?a?a?b",
  "(?=a)a+",
  "(?!a)b+",
  "(?<=a)b+",
  "(?<!a)b+",
  "(a)\\1",
  "(?<n>a)\\k<n>",
  "(?i:a+)",
  "\\bword",
  "\\p{L}+",
  "a{",
  "a]",
  "a}",
  "a$b",
  "a^b",
  "[a-z]+$",
  "^[a-z]+",
  ".*a{1000}",
  "(?:a|b){2}",
  "(a",
  "(?:a$)?b",
];

describe("isPlainlyLinear()", () => {
  it.each(plain)("takes %s", async (source) => {
    expect(isPlainlyLinear(alone(source))).toBe(true);
    expect((await check(alone(source), "")).status).toBe("safe");
  });

  it.each(other)("leaves %s to a checker", (source) => {
    expect(isPlainlyLinear(alone(source))).toBe(false);
  });

  it("leaves what is not anchored to a checker, as each place is a beginning", () => {
    for (const source of ["\\d+", "^\\d+", "\\d+$", "^(?:\\d+", "^\\d+\\$", "^a|b$"]) {
      expect(isPlainlyLinear(source), source).toBe(false);
    }
    expect(isPlainlyLinear("^(\\d+)$")).toBe(true);
  });

  it("finds nothing linear that a checker knows to be slow", async () => {
    const atoms = ["a", "b", "[ab]", "\\d", ".", "-", "(?:a|b)", "(?:ab)", "(?:a+|b)"];
    const quantifiers = ["", "", "+", "*", "?", "{2}", "{1,3}", "+?", "{2,}"];
    let state = 1;
    const random = <T>(values: readonly T[]): T => {
      state = (state * 48_271) % 2_147_483_647;
      return values[state % values.length]!;
    };
    let taken = 0;
    for (let count = 0; count < 400; count++) {
      let source = "";
      for (let length = 1 + (count % 5); length > 0; length--) source += random(atoms) + random(quantifiers);
      if (!isPlainlyLinear(alone(source))) continue;
      taken++;
      expect((await check(alone(source), "", { timeout: 20_000 })).status, source).toBe("safe");
    }
    expect(taken).toBeGreaterThan(50);
  });
});
