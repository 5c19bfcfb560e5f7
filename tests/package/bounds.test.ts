import { describe, expect, it } from "vitest";

const script = new URL("../../scripts/check/lib/bounds.js", import.meta.url).href;
const { unexplainedBounds } = (await import(script)) as {
  unexplainedBounds(text: string, limits: ReadonlyMap<string, number>): string[];
};

const page = (...rows: string[]): string =>
  [
    "# Sizes",
    "## Bounds",
    "| what | bytes | came | went |",
    "| --- | ---: | --- | --- |",
    ...rows,
    "",
    "## Lines",
  ].join("\n");
const limits = new Map([["one operation", 52_000]]);

describe("unexplainedBounds()", () => {
  it("takes a first row, a lower one, and a raise that names what went", () => {
    expect(unexplainedBounds(page("| one operation | 52,000 | | |"), limits)).toEqual([]);
    const lowered = page("| one operation | 53,000 | | |", "| one operation | 52,000 | | |");
    expect(unexplainedBounds(lowered, limits)).toEqual([]);
    const raised = page("| one operation | 51,000 | | |", "| one operation | 52,000 | scopes | a second reader |");
    expect(unexplainedBounds(raised, limits)).toEqual([]);
  });

  it.each([["| |"], ["scopes | |"], ["| a second reader |"], ["scopes | nothing |"], ["scopes | - |"]])(
    "refuses a raise that names too little: %s",
    (cells) => {
      expect(
        unexplainedBounds(page("| one operation | 51,000 | | |", `| one operation | 52,000 | ${cells}`), limits),
      ).toEqual(["one operation was raised to 52000 bytes; write what came, and what went for it"]);
    },
  );

  it("refuses a bound that no row says, and a row of nothing", () => {
    expect(unexplainedBounds(page("| one operation | 51,000 | | |"), limits)).toEqual([
      "one operation may have 52000 bytes, and its last row says 51000; write a row",
    ]);
    expect(unexplainedBounds(page(), limits)).toEqual([
      "one operation may have 52000 bytes, and its last row says undefined; write a row",
    ]);
    const other = page("| one operation | 52,000 | | |", "| two operations | 1 | | |");
    expect(unexplainedBounds(other, limits)).toEqual(["two operations is measured by nothing; take its rows out"]);
  });
});
