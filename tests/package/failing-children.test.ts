import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A check: the children of which each alone fails it, and whether it passes where all of them do nothing. */
interface Row {
  readonly script: string;
  readonly args?: readonly string[];
  readonly children: readonly string[];
  readonly passes?: boolean;
}

const rows: readonly Row[] = [
  { script: "check/postgres-tests", children: ["compile", "vitest"], passes: true },
  { script: "check/redis-tests", children: ["vitest"], passes: true },
  {
    script: "check/example-application",
    args: ["conduit"],
    children: ["run --silent build", "tsc", "compile", "glue", "vitest"],
    passes: true,
  },
  { script: "check/example-mounting", children: ["vitest"], passes: true },
  { script: "check/document-tools", children: ["vitest", "bench/document"], passes: true },
  { script: "check/unused", children: ["knip"], passes: true },
  { script: "check/messages", children: ["coverage", "vitest"] },
  { script: "check/fuzz", children: ["guided", "vitest"] },
  { script: "check/hardened-node", children: ["hostile-run"] },
  { script: "check/request-functions", children: ["tsc"] },
  { script: "check/exchanges", children: ["."] },
  { script: "check/runtimes", children: ["build"] },
  { script: "check/templates", children: ["npm pack"] },
  { script: "check/newcomer-steps", children: ["npm pack"] },
  { script: "check/packed-package", children: ["npm pack"] },
  { script: "check/build-growth", children: ["."] },
  { script: "check/cli-docs", children: ["."] },
  { script: "check/type-cost", children: ["."] },
  { script: "check/programs-under-fire", children: ["."] },
  { script: "check/socket-faults", children: ["."] },
  { script: "release/jsr", children: ["deno"] },
  { script: "build/docs", children: ["vitepress"] },
];

/** Returns the exit code of a check whose children are planted. */
function exitCode({ script, args = [] }: Row, failing = ""): Promise<unknown> {
  const planted = ["--import", "./tests/package/planted/children.js", `scripts/${script}.js`, ...args];
  const options = { cwd: root, env: { ...process.env, FAILING: failing, FINGERPOST_SAID: undefined } };
  return new Promise((resolve) => {
    execFile(process.execPath, planted, options, (error) => resolve(error === null ? 0 : error.code));
  });
}

describe("a check whose child fails", () => {
  it.concurrent.each(rows.flatMap((row) => row.children.map((child) => [row.script, child, row] as const)))(
    "fails: %s, by %s",
    async (_, child, row) => {
      expect(await exitCode(row, child)).not.toBe(0);
    },
  );

  it.concurrent.each(rows.filter(({ passes }) => passes === true).map((row) => [row.script, row] as const))(
    "passes where no child fails: %s",
    async (_, row) => {
      expect(await exitCode(row)).toBe(0);
    },
  );

  it("has a row, if it is a step of ok.js", () => {
    const textOf = (script: string): string => readFileSync(`${root}scripts/${script}.js`, "utf8");
    const steps = [...textOf("check/ok").matchAll(/"scripts\/([\w/-]+)\.js"/g)].map(([, script]) => script!);
    const starting = steps.filter((script) => textOf(script).includes('"node:child_process"'));
    expect(starting.length).toBeGreaterThan(10);
    expect(starting.filter((script) => !rows.some((row) => row.script === script))).toEqual([]);
  });
});
