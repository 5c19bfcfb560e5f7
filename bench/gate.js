// Fails when we have become slower in relation to a few fast peers: `npm run bench:gate`. With --record it takes what it
// measures as the new measure.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ownName } from "./lib/adapters.js";
import { checkCases } from "./lib/cases.js";
import { dist } from "./lib/dist.js";
import { linesOf } from "./lib/processes.js";
import { label } from "./lib/runtimes.js";
import { median } from "./lib/sampling.js";
import { install } from "./lib/setup.js";

const slack = 1.15;
const tries = 3;
const peers = "--peers=memoirist,@medley/router,koa-tree-router,find-my-way";
const match = (...args) => ["match.js", [...args, peers, "--rounds=9", "--json"]];
const commands = {
  "hono, read": match("--table=hono", "--rows=all together", "--mode=url"),
  "hono, match only": match("--table=hono", "--rows=all together", "--mode=url", "--match-only"),
  "hono, static": match("--table=hono", "--rows=long static", "--mode=urlnq"),
  "github-v3, read": match("--table=github-v3", "--rows=all together", "--mode=url"),
  "github-v3, match only": match("--table=github-v3", "--rows=all together", "--mode=url", "--match-only"),
  "handle()": ["handle.js", ["--apps=fingerpost,elysia,hono", "--rounds=7", "--processes=1", "--json"]],
};

const file = new URL("gate.json", import.meta.url);
const isRecording = process.argv.includes("--record");
const records = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const recorded = isRecording ? {} : records[label];
if (recorded === undefined) {
  console.log(`bench:gate: nothing is recorded for ${label}; nothing is checked`);
  process.exit();
}
if (!existsSync(new URL("modules/http.native.js", dist))) {
  throw new Error('There is no build to measure; run "npm run build" first');
}
install();
console.log(`bench:gate: the build gives the expected answers to ${await checkCases()} rows of the case table`);

const measured = Object.fromEntries(Object.keys(commands).map((row) => [row, []]));
for (let attempt = 0; attempt < tries; attempt++) {
  for (const row of Object.keys(commands)) {
    if (isRecording || isSlower(row)) measured[row].push(ratioOf(...commands[row]));
  }
}
if (isRecording) {
  for (const [row, ratios] of Object.entries(measured)) recorded[row] = Number(median(ratios).toFixed(3));
  writeFileSync(file, `${JSON.stringify({ ...records, [label]: recorded }, null, 2)}\n`);
}
for (const row of Object.keys(commands)) {
  const ratios = measured[row].map((ratio) => ratio.toFixed(2)).join(", ");
  console.log(`bench:gate ${row}: ${ratios} x the peers; recorded ${recorded[row]}${isSlower(row) ? "  SLOWER" : ""}`);
}
if (!isRecording && Object.keys(commands).some(isSlower)) process.exitCode = 1;

/** Whether no try so far has met what is recorded, within the slack. */
function isSlower(row) {
  return !measured[row].some((ratio) => ratio <= recorded[row] * slack);
}

/** Our cost in relation to the peers': the geometric mean of the ratios, which is steadier than that to the fastest. */
function ratioOf(script, args) {
  const [{ results }] = linesOf(script, args);
  const ratios = results.filter(({ name, ratio }) => name !== ownName && ratio > 0).map(({ ratio }) => ratio);
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
