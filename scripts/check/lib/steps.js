// Runs the steps of ok.js and nightly.js.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Runs the steps that the command line names, or all: as many at a time as there are lanes; says how many failed. A
 * step is a name, a command, its arguments, and what is particular: `env`, `after` (names of steps that it waits for)
 * and `alone`, for those that measure.
 */
export async function runAll(all, { lanes }) {
  const begun = Date.now();
  const steps = chosen(all, process.argv.slice(2));
  const waiting = [...steps];
  const running = new Map();
  const failed = [];
  while (waiting.length + running.size > 0) {
    const step = running.size < lanes ? next(waiting, [...running.keys()]) : undefined;
    if (step === undefined) {
      if (running.size === 0) throw new Error(`Steps that wait for each other: ${waiting.join(", ")}`);
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(step), 1);
    const ended = perform(step, lanes > 1 && !isAlone(step)).then((passed) => {
      running.delete(step);
      if (!passed) failed.push(step[0]);
    });
    running.set(step, ended);
  }
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
  console.log(`All took ${((Date.now() - begun) / 60_000).toFixed(1)} minutes`);
  console.log(`Checks: ${steps.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function chosen(steps, asked) {
  const names = steps.map(([name]) => name);
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length === 0) return asked.length === 0 ? steps : steps.filter(([name]) => asked.includes(name));
  console.error(`Unknown steps: ${unknown.join(", ")}; there are ${names.join(", ")}`);
  process.exit(1);
}

/** The first of the steps that wait that may begin beside those that run. */
export function next(waiting, running) {
  if (running.some(isAlone)) return undefined;
  const open = [...waiting, ...running].map(([name]) => name);
  return waiting.find((step) => {
    if (isAlone(step) && running.length > 0) return false;
    return !(step[3]?.after ?? []).some((name) => open.includes(name));
  });
}

const isAlone = ([, , , more]) => more?.alone === true;

/** Runs a step; what steps say that run beside each other is printed in one piece. */
async function perform([name, command, args, { env = {} } = {}], isBeside) {
  const from = Date.now();
  console.log(`\n--- ${name}`);
  const stdio = ["ignore", ...(isBeside ? ["pipe", "pipe"] : ["inherit", "inherit"])];
  const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => said.push(chunk));
  const passed = await new Promise((resolve) => {
    child.on("error", (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
  process.stdout.write(Buffer.concat(said));
  console.log(`--- ${name}: ${passed ? "passed" : "FAILED"} in ${((Date.now() - from) / 1000).toFixed(1)} s`);
  return passed;
}
