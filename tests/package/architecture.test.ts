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
  it("begins with files to read in two hours, each with its question", () => {
    const [, section] = /^## Read this first\n([^]*?)\n## /m.exec(page)!;
    const listed = [...section!.matchAll(/^\| (\d+) \| `(.+)` \| [A-Z].+\? \|$/gm)];
    expect(listed.map(([, number]) => Number(number))).toEqual(listed.map((_, at) => at + 1));
    const lines = listed.map(([, , file]) => readFileSync(join(root, "src", file!), "utf8").split("\n").length - 1);
    const sum = lines.reduce((all, count) => all + count, 0);
    expect(sum).toBeGreaterThan(1500);
    expect(sum).toBeLessThanOrEqual(2000);
  });

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
