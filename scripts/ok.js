// What can fail beside `npm test`, one step after the other; ends with a line of counts. Fuzzing at length, mutation and soak
// take longer than all of it, and are run by themselves.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const steps = [
  ["types", "npx", ["--no-install", "tsc", "--noEmit"]],
  ["lint", "npm", ["run", "--silent", "lint"]],
  ["format", "npm", ["run", "--silent", "format:check"]],
  ["build", "npm", ["run", "--silent", "build"]],
  ["imports", process.execPath, ["scripts/imports.js"]],
  ["size", process.execPath, ["scripts/size.js"]],
  ["type cost", process.execPath, ["scripts/type-cost.js"]],
  ["package", process.execPath, ["scripts/package.js"]],
  ["api", process.execPath, ["scripts/api.js"]],
  ["unused", process.execPath, ["scripts/unused.js"]],
  ["docs", process.execPath, ["scripts/docs.js"]],
  ["newcomer", process.execPath, ["scripts/newcomer.js"]],
  ["templates", process.execPath, ["scripts/templates.js"]],
  ["jsr", process.execPath, ["scripts/jsr.js"]],
  ["cli", process.execPath, ["scripts/cli-docs.js"]],
  ["coverage", "npm", ["run", "--silent", "coverage"]],
  ["agreement", process.execPath, ["scripts/agree.js"]],
  ["growth", process.execPath, ["scripts/growth.js"]],
  ["properties", "npm", ["run", "--silent", "properties"]],
  ["flags", process.execPath, ["scripts/flags.js"]],
  ["speed", process.execPath, ["bench/gate.js"]],
  ["runtimes", process.execPath, ["scripts/runtimes.js"]],
  ["faults", process.execPath, ["scripts/faults.js"]],
  ["redis", process.execPath, ["scripts/redis.js"]],
];

const failed = [];
for (const [name, command, args] of steps) {
  const from = Date.now();
  console.log(`\n--- ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) failed.push(name);
  console.log(`--- ${name}: ${status === 0 ? "passed" : "FAILED"} in ${((Date.now() - from) / 1000).toFixed(1)} s`);
}
if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
console.log(`Checks: ${steps.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
