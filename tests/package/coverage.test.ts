import { describe, expect, it } from "vitest";

type Summary = Record<string, Record<string, { covered: number; total: number }>>;

const script = new URL("../../scripts/check/messages.js", import.meta.url).href;
const { uncovered } = (await import(script)) as { uncovered(summary?: Summary): string[] };

const counts = (covered: number, total: number) => ({ lines: { covered: 2, total: 2 }, branches: { covered, total } });

describe("the coverage that scripts/check/messages.js judges", () => {
  it.each<[string, Summary | undefined, string[]]>([
    ["nothing of files that are covered", { total: counts(3, 3), "a.ts": counts(3, 3), "b.ts": counts(0, 0) }, []],
    ["files with a branch that is not", { total: counts(2, 3), "a.ts": counts(2, 3), "b.ts": counts(0, 0) }, ["a.ts"]],
    ["any file, where no run has taken it", undefined, ["any file"]],
  ])("misses %s", (_, summary, expected) => {
    expect(uncovered(summary)).toEqual(expected);
  });
});
