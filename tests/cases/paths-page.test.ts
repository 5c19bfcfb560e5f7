import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerOf, indexOf } from "../support/answers.ts";
import { isSamePaths } from "../support/oracle-precedence.ts";
import { oracleOf } from "../support/oracle.ts";
import { examplesOf, withTargets } from "./paths-page.ts";

const page = readFileSync(new URL("../../docs/paths.md", import.meta.url), "utf8");
const targets = readFileSync(new URL("../../tests/hostile-targets.md", import.meta.url), "utf8");
const examples = examplesOf(page);

describe("docs/paths.md", () => {
  it("leads to a page with the table that scripts/check/hostile-targets-page.js makes", () => {
    expect(page).toContain("](../tests/hostile-targets.md)");
    expect(withTargets(targets)).toBe(targets);
    expect(targets.split("\n").filter((line) => line.startsWith("| `")).length).toBeGreaterThan(100);
  });

  it("has examples", () => {
    expect(examples.length).toBeGreaterThan(30);
  });

  it.each(examples)("says what happens: $because", ({ patterns, path, expect: expected, trailingSlash }) => {
    expect(answerOf(indexOf(patterns, trailingSlash).match(path, -1))).toStrictEqual(expected);
    expect(oracleOf(patterns, trailingSlash)(path)).toStrictEqual(expected);
  });

  it("says which patterns match the same paths", () => {
    const rows = [...page.matchAll(/^\| `(\S+)` and `(\S+)` \| `(\S+)` and `(\S+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(3);
    for (const [, one, other, third, fourth] of rows) {
      expect(() => indexOf([one!, other!])).toThrow("match the same paths");
      expect(() => indexOf([third!, fourth!])).not.toThrow();
      expect([isSamePaths(one!, other!), isSamePaths(third!, fourth!)]).toEqual([true, false]);
    }
  });
});
