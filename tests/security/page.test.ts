import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "./sources.ts";

const page = readFileSync(`${root}tests/security/faults.md`, "utf8");
const advisory = /\b(?:CVE-\d{4}-\d+|GHSA(?:-\w{4}){3})\b/g;

/** The last cell of each row: a file, and the name of a test in it. */
const named = [...page.matchAll(/^\|.*\| ([\w./-]+): ([^|]+) \|$/gm)].map(([, file, name]) => ({
  file: file!.includes("/") ? file! : `tests/security/${file}.test.ts`,
  name: name!,
}));

/** The names of the tests in a file. */
function testsIn(file: string): string[] {
  const source = readFileSync(root + file, "utf8");
  return [...source.matchAll(/\bit(?:\.each\([^]*?\))?\(\s*"((?:[^"\\]|\\.)*)"/g)].map(([, name]) =>
    JSON.parse(`"${name}"`),
  );
}

describe("faults.md", () => {
  it("names tests that exist", () => {
    expect(named.length).toBeGreaterThan(90);
    expect(named.length).toBe(page.match(/^\| (?!seen at|command|`npm )[^-]/gm)!.length);
    expect(named.filter(({ file, name }) => !testsIn(file).includes(name))).toEqual([]);
  });

  it("lists every advisory that a test names, and names a test for every advisory that it lists", () => {
    const files = (readdirSync(`${root}tests/security`) as string[]).filter((file) => file.endsWith(".test.ts"));
    const tested = files.flatMap((file) => testsIn(`tests/security/${file}`).join(" ").match(advisory) ?? []);
    expect([...new Set(tested)].toSorted()).toEqual([...new Set(page.match(advisory))].toSorted());
  });
});
