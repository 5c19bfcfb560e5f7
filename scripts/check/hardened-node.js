// Runs the hostile suite on dist/ under the flags by which a host hardens Node: what comes of each request must be the
// same every time. Then puts every name that dist/ reads on Object.prototype, before and after dist/ is loaded.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "fingerpost-"));
const program = join(scratch, "program.mjs");
const chains = join(scratch, "chains.js");
const hardening = ["--frozen-intrinsics", "--disable-proto=throw", "--disallow-code-generation-from-strings"];
const runs = [
  ["no flags", "suite"],
  ...hardening.map((flag) => [flag, "suite", flag]),
  ["--disable-proto=delete", "suite", "--disable-proto=delete"],
  ["the first three", "suite", ...hardening],
  ["Object.prototype polluted before loading", "polluted before loading"],
  ["Object.prototype polluted after loading", "polluted after loading"],
];

const common = { bundle: true, target: "es2022", logLevel: "error", absWorkingDir: root };
await build({ ...common, entryPoints: ["tests/security/hostile-program.ts"], format: "esm", outfile: program });
// Name by name: what bundles make of `import *` does not itself survive a polluted prototype.
const names = "Application Attribute HTTPError Middleware Resource ResourceGroup Status".split(" ");
const imported = (chain) =>
  `import { ${names.map((name) => `${name} as ${chain}${name}`)} } from "./dist/modules/http.${chain}.js";`;
const listed = (chain) => `${chain}: { ${names.map((name) => `${name}: ${chain}${name}`)} }`;
await build({
  ...common,
  stdin: {
    contents:
      `${imported("native")} ${imported("polyfill")} globalThis.chains = { ${listed("native")}, ` +
      `${listed("polyfill")} };`,
    resolveDir: root,
  },
  format: "iife",
  outfile: chains,
  // What is loaded when it is asked for is not loaded here.
  plugins: [
    {
      name: "apart",
      setup: (bundle) =>
        bundle.onResolve({ filter: /./ }, ({ kind }) => (kind === "dynamic-import" ? { external: true } : null)),
    },
  ],
});

let isFaulty = false;
let expected;
for (const [name, mode, ...flags] of runs) {
  const args = ["--no-warnings", ...flags, "scripts/check/lib/hostile-run.js", mode, program, chains];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const report = status === 0 ? JSON.parse(stdout) : { checks: 0, faults: [stderr], outcomes: [] };
  if (mode === "suite") {
    expected ??= report.outcomes;
    report.faults.push(...report.outcomes.filter((outcome, at) => outcome !== expected[at]));
  }
  console.log(`flags: ${name}: ${report.checks} checks, ${report.faults.length} faults`);
  for (const fault of report.faults.slice(0, 10)) console.error(`  ${fault}`);
  isFaulty ||= report.faults.length > 0 || report.checks === 0;
}
rmSync(scratch, { recursive: true });
process.exitCode = isFaulty ? 1 : 0;
