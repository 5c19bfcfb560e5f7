import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { steps } from "../../src/semantics/operation/steps.ts";

const root = new URL("../..", import.meta.url).pathname;
const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \| (.+?\?) ?(.*?) \| (.+) \| .+ \| (.+) \|$/gm)].map(
  ([, number, question, , files, tests]) => ({ number: Number(number), question, files: files!, tests: tests! }),
);
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([\w/-]+(?:\.test)?\.ts)`/g)].map(([, name]) => name!);

describe("ARCHITECTURE.md", () => {
  it("has the steps of a declared operation, with their questions", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 14 }, (_, at) => at + 1));
    const asked = rows.flatMap(({ number, question }) => (steps[number] === undefined ? [] : [[number, question]]));
    expect(asked).toEqual(
      rows.flatMap(({ number }) => (steps[number] === undefined ? [] : [[number, steps[number].question]])),
    );
  });

  it("names files that exist", () => {
    const sources = rows.flatMap(({ files }) => namesIn(files));
    const tests = rows.flatMap(({ tests: cell }) => namesIn(cell));
    expect(sources.length).toBeGreaterThan(12);
    expect(tests).toHaveLength(14);
    const lacking = [
      ...sources.filter((file) => !existsSync(join(root, "src", file.includes("/") ? "" : "semantics/line", file))),
      ...tests.filter((file) => !existsSync(join(root, file.includes("/") ? "" : "tests/cases", file))),
    ];
    expect(lacking).toEqual([]);
  });
});
