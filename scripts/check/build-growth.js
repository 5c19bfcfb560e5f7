// Checks that building 100,000 patterns costs at most 13 times the time of a processor and the memory of 10,000:
// `node scripts/check/build-growth.js`. A kind that fails is measured again, up to three times: other programs may have
// been running, as they do in `npm run ok`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { importTypeScript } from "../build/import-typescript.js";

const counts = [10_000, 100_000];
const greatest = 13;

if (globalThis.gc === undefined) {
  const script = fileURLToPath(import.meta.url);
  // A compiler at work beside the program holds on to what it compiles for: a whole table that nobody else does.
  const flags = ["--expose-gc", "--no-concurrent-recompilation"];
  process.exit(spawnSync(process.execPath, [...flags, script], { stdio: "inherit" }).status ?? 1);
}

const { builds } = await importTypeScript("tests/growth/large-tables.ts");

/** The time of a processor in ms, the better of two, and the memory in MB that a table takes. */
function measure(build, count) {
  let ms = Infinity;
  let megabytes = 0;
  for (let round = 0; round < 2; round++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    const from = process.cpuUsage();
    globalThis.built = build(count);
    const { user, system } = process.cpuUsage(from);
    ms = Math.min(ms, (user + system) / 1000);
    globalThis.gc();
    megabytes = (process.memoryUsage().heapUsed - before) / 1e6;
    globalThis.built = null;
  }
  return { ms, megabytes };
}

let failed = 0;
console.log(
  "10,000 and 100,000 patterns".padEnd(40) +
    ["ms", "MB"].map((unit) => unit.padStart(16) + "ratio".padStart(8)).join(""),
);
for (const [name, build] of Object.entries(builds)) {
  let ratios;
  for (let attempt = 0; attempt < 3; attempt++) {
    const [few, many] = counts.map((count) => measure(build, count));
    ratios = [many.ms / few.ms, many.megabytes / few.megabytes];
    const cells = [
      `${few.ms.toFixed(0)} → ${many.ms.toFixed(0)}`.padStart(16),
      ratios[0].toFixed(1).padStart(8),
      `${few.megabytes.toFixed(1)} → ${many.megabytes.toFixed(1)}`.padStart(16),
      ratios[1].toFixed(1).padStart(8),
    ];
    console.log(name.padEnd(40) + cells.join(""));
    if (Math.max(...ratios) <= greatest) break;
  }
  if (Math.max(...ratios) > greatest) failed++;
}
console.log(failed === 0 ? `No ratio is above ${greatest}` : `${failed} kinds grow by more than ${greatest}`);
process.exitCode = failed === 0 ? 0 : 1;
