// Fuzzing at length, where `npm test` does it for seconds. FINGERPOST_RUNS=40000 says how often each property is tried,
// and FINGERPOST_SEED=1 repeats a run; both are printed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runs = Number(process.env.FINGERPOST_RUNS ?? 40_000);
const seed = Number(process.env.FINGERPOST_SEED ?? Date.now() % 2 ** 31);
console.log(`fuzz: FINGERPOST_RUNS=${runs} FINGERPOST_SEED=${seed}`);

const script = "reports/guided-target.mjs";
await build({
  entryPoints: [`${root}tests/fuzz/guided-target.ts`],
  outfile: root + script,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "es2022",
  logLevel: "error",
});
let isFaulty = false;
// The second has a mistake in it that must be found.
for (const [name, expected] of [
  ["attempt", 0],
  ["attemptWithMistake", 1],
]) {
  const args = ["scripts/check/lib/guided-fuzzer.js", script, name, Math.max(runs, 20_000), seed].map(String);
  isFaulty ||= spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status !== expected;
}

const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const report = `${root}reports/fuzz.json`;
const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`];
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "tests/fuzz/", "tests/properties/", "--typecheck.enabled=false", "--testTimeout=0", ...reporters],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, FINGERPOST_RUNS: String(runs), FINGERPOST_SEED: String(seed) },
  },
);
const { numTotalTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
console.log(`fuzz: ${numTotalTests} properties, tried up to ${runs} times each, ${numFailedTests} failed`);
process.exitCode = status !== 0 || isFaulty ? 1 : 0;
