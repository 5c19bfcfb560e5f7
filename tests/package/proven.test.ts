// The commands of docs/proven.md name files that exist, and tests that are in them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../support/files.ts";
import { root } from "./snippets.ts";

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");
const page = textOf("docs/proven.md");
const [refused, checked] = page.split("\n## Claims and their commands\n");
const commands = [...checked!.matchAll(/^\| .+ \| `(.+)` \| .+ \|$/gm)].map(([, command]) => command!);

/** Where a command that starts a server looks for its tests. */
const folders: Readonly<Record<string, string>> = { "postgres-tests": "tests/postgres", "redis-tests": "tests/redis" };

describe("docs/proven.md", () => {
  it("says what is not claimed first", () => {
    expect(refused).toMatch(/## Not claimed\n[^#]*used in production[^#]*the smallest[^#]*the fastest start/);
    expect(commands.length).toBeGreaterThanOrEqual(8);
  });

  it.each(commands)("%s can be run", (command) => {
    const files = command.match(/(?:src|tests|scripts)\/[\w/.-]+/g)!;
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const [, quoted, bare] = / -t (?:"([^"]+)"|(\S+))/.exec(command) ?? [];
    const folder = folders[/check\/(\w+-tests)\.js/.exec(command)?.[1] ?? ""];
    const tests = folder === undefined ? files : filesIn(join(root, folder)).map((file) => `${folder}/${file}`);
    const names = tests.filter((file) => file.endsWith(".test.ts")).map(textOf);
    if (quoted ?? bare) expect(names.some((text) => text.includes((quoted ?? bare)!))).toBe(true);
    expect(/vitest|-tests\.js/.test(command)).toBe(names.length > 0);
  });
});
