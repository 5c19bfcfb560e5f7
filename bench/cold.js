// Measures what it takes a new process to be ready: load the router, build 203 routes, find the first:
// `node bench/cold.js`. With --kind=app the same for applications, which answer their first request; see README.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { adapterOf, fastNames, fileOf, ownName } from "./lib/adapters.js";
import { appRoutesOf } from "./lib/app-handlers.js";
import { appNames, appOf } from "./lib/apps.js";
import { entriesOf, Refusal } from "./lib/candidate.js";
import { linesOf } from "./lib/processes.js";
import { randomFrom, shuffled } from "./lib/random.js";
import { here } from "./lib/runtimes.js";
import { median } from "./lib/sampling.js";
import { tableOf } from "./lib/tables.js";

const { values: options } = parseArgs({
  options: {
    kind: { type: "string", default: "router" },
    rounds: { type: "string", default: "15" },
    json: { type: "boolean", default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), "bench-"));
try {
  await measure(options.kind === "router" ? await routers() : await apps());
} finally {
  rmSync(folder, { recursive: true });
}

/** What each router is given is written down beforehand: spelling it is not the router's work. */
async function routers() {
  const table = tableOf("github-v3");
  const subjects = [];
  for (const name of [ownName, ...fastNames]) {
    const adapter = await adapterOf(name);
    try {
      const entries = entriesOf(adapter, table).map(({ method, path }) => ({ method, path }));
      const find = typeof adapter.find === "string" ? adapter.find : adapter.find.slice;
      subjects.push(subjectOf(name, { file: `peers/${fileOf(name)}.js`, entries, find, isMiss: adapter.isMiss }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return subjects;
}

async function apps() {
  const { routes } = tableOf("github-v3");
  const subjects = [];
  for (const name of appNames) {
    const app = await appOf(name);
    const entries = appRoutesOf(app, routes, null);
    subjects.push(subjectOf(name, { app: name, entries }));
  }
  return subjects;
}

function subjectOf(name, task) {
  const file = join(folder, `${name.replaceAll(/\W/g, "-")}.json`);
  writeFileSync(file, JSON.stringify(task));
  return { name, file, times: [] };
}

/** A process for each, in random order, again and again. */
function measure(subjects) {
  const random = randomFrom(Date.now());
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const { file, times } of shuffled(subjects, random)) {
      times.push(linesOf("lib/cold-process.js", [file], { runtime: here() })[0].milliseconds);
    }
  }
  const [own] = subjects;
  const results = subjects.map(({ name, times }) => ({
    name,
    ms: median(times),
    ratio: median(own.times.map((time, round) => time / times[round])),
  }));
  if (options.json) return console.log(JSON.stringify({ row: options.kind, results }));
  for (const { name, ms, ratio } of results)
    console.log(`${ratio.toFixed(2).padStart(6)} x ${name.padEnd(26)} ${ms.toFixed(1)} ms`);
}
