// What can fail beside `npm test`, one step after the other; ends with a line of counts. What is only found by hours of
// trying is in nightly.js, and tried for minutes here.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const properties = ["tests/properties", "--typecheck.enabled=false"];
const steps = [
  ["types", "npx", ["--no-install", "tsc", "--noEmit"]],
  ["lint", "npm", ["run", "--silent", "lint"]],
  ["format", "npm", ["run", "--silent", "format:check"]],
  ["build", "npm", ["run", "--silent", "build"]],
  ["names", process.execPath, ["scripts/check/names.js"]],
  ["imports", process.execPath, ["scripts/check/imports.js"]],
  ["size", process.execPath, ["scripts/check/size.js"]],
  ["type-cost", process.execPath, ["scripts/check/type-cost.js"]],
  ["request-functions", process.execPath, ["scripts/check/request-functions.js"]],
  ["packed-package", process.execPath, ["scripts/check/packed-package.js"]],
  ["api", process.execPath, ["scripts/check/api.js"]],
  ["prose", process.execPath, ["scripts/check/prose.js"]],
  ["unused", process.execPath, ["scripts/check/unused.js"]],
  ["docs", process.execPath, ["scripts/build/docs.js"]],
  ["site-in-browser", process.execPath, ["scripts/check/site-in-browser.js"]],
  ["example-mounting", process.execPath, ["scripts/check/example-mounting.js"]],
  ["example-conduit", process.execPath, ["scripts/check/example-conduit.js"]],
  // Behind the two that install what examples need.
  ["programs-under-fire", process.execPath, ["scripts/check/programs-under-fire.js"]],
  ["document-tools", process.execPath, ["scripts/check/document-tools.js"]],
  ["newcomer-steps", process.execPath, ["scripts/check/newcomer-steps.js"]],
  ["templates", process.execPath, ["scripts/check/templates.js"]],
  ["jsr", process.execPath, ["scripts/release/jsr.js"]],
  ["cli-docs", process.execPath, ["scripts/check/cli-docs.js"]],
  // With `npm run coverage`.
  ["messages", process.execPath, ["scripts/check/messages.js"]],
  ["index-oracle", process.execPath, ["scripts/check/index-oracle.js", "100000"]],
  ["build-growth", process.execPath, ["scripts/check/build-growth.js"]],
  ["properties", "npx", ["--no-install", "vitest", "run", ...properties], { FINGERPOST_RUNS: "10000" }],
  ["hardened-node", process.execPath, ["scripts/check/hardened-node.js"]],
  ["speed", process.execPath, ["bench/gate.js"]],
  ["runtimes", process.execPath, ["scripts/check/runtimes.js"]],
  ["socket-faults", process.execPath, ["scripts/check/socket-faults.js"], { FAULTS: "200" }],
  ["events", process.execPath, ["bench/soak/events.js"], { EVENTS: "100,10" }],
  ["redis-tests", process.execPath, ["scripts/check/redis-tests.js"]],
  ["postgres-tests", process.execPath, ["scripts/check/postgres-tests.js"]],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) runAll(steps);

/** Runs commands, each with what it has in its environment, and says how many failed. */
export function runAll(commands) {
  const begun = Date.now();
  const failed = [];
  for (const [name, command, args, more = {}] of commands) {
    const from = Date.now();
    console.log(`\n--- ${name}`);
    const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...more } });
    if (status !== 0) failed.push(name);
    console.log(`--- ${name}: ${status === 0 ? "passed" : "FAILED"} in ${((Date.now() - from) / 1000).toFixed(1)} s`);
  }
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
  console.log(`All took ${((Date.now() - begun) / 60_000).toFixed(1)} minutes`);
  console.log(`Checks: ${commands.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
