// The tables and generated patterns, put before the compiler: what it infers is what the parser finds.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parsePathPattern, type PathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { cases } from "../cases/every-case.ts";
import { tables } from "../properties/generated-patterns.ts";
import { anyPatterns } from "../properties/generated-targets.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
// Inside of the repository, so that the compiler finds what it finds elsewhere.
const scratch = mkdtempSync(join(root, "node_modules", ".names-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The names of a pattern, with "?" behind those that a match may lack. */
function namesOf({ names, segments }: PathPattern): string[] {
  const optional = segments.filter(({ isOptional }) => isOptional).flatMap(({ pieces }) => pieces);
  return names.map((name) => (optional.some((piece) => Object(piece).name === name) ? `${name}?` : name));
}

/** The names of several: those that all have, and the others as optional. */
function unitedNamesOf(list: readonly string[]): string[] {
  const each = list.map((pattern) => new Set(namesOf(parsePathPattern(pattern))));
  const all = [...new Set(each.flatMap((names) => [...names]))];
  return all.map((name) => (each.every((names) => names.has(name)) ? name : `${name.replace(/\?$/, "")}?`));
}

function faultsOf(lists: readonly (readonly string[])[]): string {
  const rows = lists.map((list) => {
    const names = unitedNamesOf(list).map((name) => JSON.stringify(name));
    return `same<ParamNames<readonly ${JSON.stringify(list)}>, ${names.join(" | ") || "never"}>(true);`;
  });
  writeFileSync(
    join(scratch, "names.ts"),
    `import type { ParamNames } from ${JSON.stringify(join(root, "src/routing/pattern/path-param-names.ts"))};
     type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : A) : A;
     declare function same<A, B>(_: Same<A, B>): void;
     ${rows.join("\n")}`,
  );
  const options = {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  writeFileSync(
    join(scratch, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...options, types: [] }, files: ["names.ts"] }),
  );
  try {
    return execFileSync(process.execPath, [compiler, "-p", scratch, "--pretty", "false"], { encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout.replace(/names\.ts\((\d+),.*/g, (line, number: string) => {
      return `${line}\n${rows[Number(number) - 4]}`;
    });
  }
}

function isAccepted(pattern: string): boolean {
  try {
    return parsePathPattern(pattern).source === pattern;
  } catch {
    return false;
  }
}

describe("ParamNames", () => {
  it("C3.6 are the names that the parser finds, for every list of patterns in the case tables", () => {
    const lists = new Map(cases.map((row) => [JSON.stringify(row.patterns), row.patterns]));
    const known = [...lists.values()].filter((list) => list.length < 50 && list.every(isAccepted));
    const single = new Set(known.flat());
    expect(single.size).toBeGreaterThan(100);
    expect(faultsOf([...known, ...[...single].map((pattern) => [pattern])])).toBe("");
  });

  it("C3.6 are the names that the parser finds, for generated patterns", () => {
    const generated = fc.sample(tables, { numRuns: 60, seed: 6 }).flatMap((table) => table.map(({ source }) => source));
    const wild = fc.sample(anyPatterns, { numRuns: 2000, seed: 6 });
    const accepted = [...new Set([...generated, ...wild])].filter(isAccepted);
    expect(accepted.length).toBeGreaterThan(200);
    expect(faultsOf(accepted.map((pattern) => [pattern]))).toBe("");
  });

  it("C3.6 are found in patterns as long as docs/native-types.md promises", () => {
    const numbers = Array.from({ length: 46 }, (_, number) => number);
    const many = [":id", ":id?", ":id(\\d+)"].map((param) =>
      numbers.map((n) => `/${param.replace("id", `p${n}`)}`).join(""),
    );
    many.push(`/${numbers.map((n) => `:p${n}`).join("-")}`, `/${numbers.map((n) => `:p${n}`).join(".")}`);
    const long = "x".repeat(990);
    many.push(`/:id((?:${long.slice(4)}))`, `/([${long.slice(2)}])`, `/:${long}-:id`);
    expect(faultsOf(many.flatMap((pattern) => [[pattern], ["/things/:id", pattern]]))).toBe("");
  });

  it("C3.6 mark as optional what no match has, in every row of the case tables", () => {
    for (const { expect: answer } of cases) {
      if (typeof answer === "number") continue;
      const required = namesOf(parsePathPattern(answer.pattern)).filter((name) => !name.endsWith("?"));
      for (const name of required) expect(answer.params[name], answer.pattern).toBeDefined();
    }
  });
});
