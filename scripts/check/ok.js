// What can fail beside `npm test`, one step after the other; ends with a line of counts. Fuzzing at length, mutation and soak
// take longer than all of it, and are run by themselves.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const steps = [
  ["types", "npx", ["--no-install", "tsc", "--noEmit"]],
  ["lint", "npm", ["run", "--silent", "lint"]],
  ["format", "npm", ["run", "--silent", "format:check"]],
  ["build", "npm", ["run", "--silent", "build"]],
  ["imports", process.execPath, ["scripts/check/imports.js"]],
  ["size", process.execPath, ["scripts/check/size.js"]],
  ["type cost", process.execPath, ["scripts/check/type-cost.js"]],
  ["way", process.execPath, ["scripts/check/way.js"]],
  ["package", process.execPath, ["scripts/check/package.js"]],
  ["api", process.execPath, ["scripts/check/api.js"]],
  ["unused", process.execPath, ["scripts/check/unused.js"]],
  ["docs", process.execPath, ["scripts/build/docs.js"]],
  ["newcomer", process.execPath, ["scripts/check/newcomer.js"]],
  ["templates", process.execPath, ["scripts/check/templates.js"]],
  ["jsr", process.execPath, ["scripts/release/jsr.js"]],
  ["cli", process.execPath, ["scripts/check/cli-docs.js"]],
  ["coverage", "npm", ["run", "--silent", "coverage"]],
  ["agreement", process.execPath, ["scripts/check/agree.js"]],
  ["growth", process.execPath, ["scripts/check/growth.js"]],
  ["properties", "npm", ["run", "--silent", "properties"]],
  ["flags", process.execPath, ["scripts/check/flags.js"]],
  ["speed", process.execPath, ["bench/gate.js"]],
  ["runtimes", process.execPath, ["scripts/check/runtimes.js"]],
  ["faults", process.execPath, ["scripts/check/faults.js"]],
  ["redis", process.execPath, ["scripts/check/redis.js"]],
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
