import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const tools = fileURLToPath(new URL("../mutation/", import.meta.url));
const sources = fileURLToPath(new URL("../../src/", import.meta.url));
const isInstalled = existsSync(join(tools, "node_modules/@stryker-mutator/instrumenter"));
if (!isInstalled) {
  console.warn("The trial of mutants is not tried: it is not installed; run `npm run tools -- tests/mutation`");
}

interface Mutant {
  readonly fileName: string;
  readonly location: { readonly start: { readonly line: number } };
  readonly replacement: string;
  readonly state: string;
  readonly test?: string;
}

interface Tools {
  mutantsOf(root: string, sources: string[]): Promise<{ mutants: Mutant[]; mutated: Map<string, string> }>;
  writeProgram(root: string, tests: string[], mutated: Map<string, string>, name: string): Promise<string>;
  tried(program: string, mutants: Mutant[], workers: number, say: () => void): Promise<Mutant[]>;
}

const imported = async (file: string): Promise<Tools> => (await import(join(tools, file))) as Tools;

/** What becomes of the mutants of `bait.ts`: the line, what is there instead, the state, and the test that noticed. */
async function trialOf(bait: string, test: string): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), "fingerpost-"));
  const name = `bait-${process.pid}`;
  onTestFinished(() => {
    rmSync(root, { recursive: true });
    rmSync(join(tools, `dist/${name}.mjs`), { force: true });
  });
  const head = 'import { expect, it } from "vitest";\nimport * as bait from "./bait.ts";\n';
  for (const [file, text] of Object.entries({ "src/bait.ts": bait, "src/bait.test.ts": head + test })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { mutantsOf, writeProgram } = await imported("program.js");
  const { tried } = await imported("trials.js");
  const { mutants, mutated } = await mutantsOf(root, ["src/bait.ts"]);
  const program = await writeProgram(root, ["src/bait.test.ts"], mutated, name);
  const outcomes = await tried(program, mutants, 1, () => {});
  return outcomes.map(({ location: { start }, replacement, state, test: by }) =>
    [start.line + 1, replacement, state, ...(by === undefined ? [] : [by])].join(" "),
  );
}

const noticed = "src/bait.test.ts > notices";

describe("tests/mutation/equivalent.json", () => {
  // A night may pass before `npm run mutation` sees that a reason has lost its code: the line tells at once.
  it("explains lines that there are; correct or remove the others", () => {
    const lines = new Set<string>();
    for (const file of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      for (const line of readFileSync(join(sources, file), "utf8").split("\n")) lines.add(line.trim().slice(0, 120));
    }
    const reasons = JSON.parse(readFileSync(join(tools, "equivalent.json"), "utf8")) as { code: object }[];
    expect(reasons.flatMap(({ code }) => Object.keys(code)).filter((line) => !lines.has(line))).toEqual([]);
  });
});

describe.skipIf(!isInstalled)("scripts/check/mutation.js", () => {
  it("calls killed what a test notices, and survivor what none does", async () => {
    const bait = "export const larger = (a: number, b: number) => (a > b ? a : b);\n";
    expect(
      await trialOf(bait, 'it("notices", () => expect([bait.larger(1, 2), bait.larger(3, 2)]).toEqual([2, 3]));'),
    ).toEqual([
      `1 () => undefined Killed ${noticed}`,
      `1 true Killed ${noticed}`,
      `1 false Killed ${noticed}`,
      "1 a >= b Survived",
      `1 a <= b Killed ${noticed}`,
    ]);
    expect(await trialOf(bait, 'it("notices", () => void bait.larger(1, 2));')).toEqual(
      ["() => undefined", "true", "false", "a >= b", "a <= b"].map((change) => `1 ${change} Survived`),
    );
  });

  it("tries in a process of its own what is done once, when a file loads", async () => {
    const bait = 'export const names = ["a"];\nif (names.length > 1) throw new Error();\nexport const other = "b";\n';
    expect(await trialOf(bait, 'it("notices", () => expect(bait.names).toEqual(["a"]));')).toEqual([
      `1 [] Killed ${noticed}`,
      `1 "" Killed ${noticed}`,
      `2 true Killed ${noticed}`,
      "2 false Survived",
      `2 names.length >= 1 Killed ${noticed}`,
      `2 names.length <= 1 Killed ${noticed}`,
      '3 "" Survived',
    ]);
  });

  it("calls no mutant killed by a test that fails without it", async () => {
    const bait = "let turns = 0;\nexport const turn = () => ++turns;\nexport const one = () => 1;\n";
    const test = 'it("passes twice only", () => expect([bait.turn() > 2, bait.one() > 2]).toEqual([false, false]));';
    expect(await trialOf(bait, test)).toEqual([
      "2 () => undefined Survived",
      "2 --turns Survived",
      "3 () => undefined Survived",
    ]);
  });

  it("tells a mutant that never ends, and what no test reaches", async () => {
    const bait = "export function count(to: number) {\n  let n = 0;\n  while (n < to) n++;\n  return n;\n}\n";
    const never = "export function never() {\n  return 1;\n}\n";
    expect(await trialOf(bait + never, 'it("notices", () => expect(bait.count(2)).toBe(2));')).toEqual([
      `1 {} Killed ${noticed}`,
      `3 false Killed ${noticed}`,
      `3 n <= to Killed ${noticed}`,
      `3 n >= to Killed ${noticed}`,
      `3 n-- Timeout ${noticed}`,
      "6 {} NoCoverage",
    ]);
  });

  it("refuses tests that do not load, or fail without a mutant", async () => {
    await expect(trialOf("export const one = 1;\n", "throw new Error(`${bait.one} is gone`);")).rejects.toThrow(
      "these tests were not run: src/bait.test.ts: Error: 1 is gone",
    );
    await expect(trialOf("export const one = 1;\n", 'it("fails", () => expect(bait.one).toBe(2));')).rejects.toThrow(
      "these tests fail without a mutant: src/bait.test.ts > fails: expected 1 to be 2",
    );
  });
});
