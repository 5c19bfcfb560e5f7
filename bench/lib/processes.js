import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { here } from "./runtimes.js";
import { median } from "./sampling.js";

const bench = fileURLToPath(new URL("..", import.meta.url));

/** Runs a script of the bench in a process of its own, and gives the JSON objects that it prints, one a line. */
export function linesOf(script, args, { runtime = here(), env = {} } = {}) {
  const [command, ...before] = runtime;
  const { stdout, stderr, status, signal } = spawnSync(command, [...before, bench + script, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  });
  if (status !== 0)
    throw new Error(`${script} ${args.join(" ")} failed (${signal ?? status}):\n${stderr.slice(-2000)}`);
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

/** Measures rows in several processes; of each figure the median counts. */
export function measuredIn(processes, script, args, options) {
  const runs = Array.from({ length: processes }, () => linesOf(script, [...args, "--json"], options));
  return runs[0].map((row, at) => {
    const same = runs.map((rows) => rows[at]);
    const results = row.results.map((result) => ({ ...result, ...mediansOf(result, same) }));
    return { ...row, results };
  });
}

function mediansOf(result, rows) {
  const others = rows.flatMap(({ results }) => results.filter(({ name }) => name === result.name));
  const numbers = Object.entries(result).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(numbers.map(([key]) => [key, median(others.map((other) => other[key]))]));
}
