// Measures whole requests, validated, beside other frameworks: `node bench/requests.js`; see README.md.
//   --measure=kernel-less,sockets,in-process,cold,idle,memory --runtime=node node (the one at hand), node-22, node-24,
//   node-26, bun, deno; kernel-less and idle: those of Node --rows=R1,R2 --candidates=fastify,hono rows by their names,
//   candidates by the beginnings of theirs --rounds=7 --launches=2 --warmup=3000 --load=400 the last two in
//   milliseconds, of sockets --before=DIR another build of this package in the same rounds, from its folder dist
//   --write into results/requests-RUNTIME.json and .md, where what is not measured stays
import { parseArgs } from "node:util";
import { freePort } from "../scripts/check/lib/ports.js";
import { drive, loadInTurn, startServer } from "./lib/load.js";
import { linesOf } from "./lib/processes.js";
import { randomFrom, shuffled } from "./lib/random.js";
import { commandOf } from "./lib/runtimes.js";
import { median } from "./lib/sampling.js";
import { candidatesOn } from "./requests/candidates.js";
import { keep, ratiosOf } from "./requests/report.js";
import { rows } from "./requests/rows.js";
import { checked } from "./requests/sockets.js";

const measures = {
  "kernel-less": { rowsOf: allBut("R7"), measure: inProcesses("requests/kernel-less.js") },
  sockets: { rowsOf: Object.keys(rows), measure: overSockets },
  "in-process": { rowsOf: allBut("R7"), measure: inProcesses("requests/in-process.js") },
  cold: { rowsOf: ["200 operations", "1,000 operations"], measure: inProcesses("requests/cold.js") },
  idle: { rowsOf: ["10,000 connections"], measure: inProcesses("requests/idle.js") },
  memory: { rowsOf: memoryRows(), measure: inProcesses("requests/memory.js") },
};
const { values: options } = parseArgs({
  options: {
    measure: { type: "string", default: "kernel-less" },
    runtime: { type: "string", default: "node" },
    rows: { type: "string", default: "" },
    candidates: { type: "string", default: "" },
    rounds: { type: "string", default: "7" },
    launches: { type: "string", default: "2" },
    warmup: { type: "string", default: "3000" },
    load: { type: "string", default: "400" },
    before: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const random = randomFrom(Date.now());
const runtime = commandOf(options.runtime);
const [{ label, version }] = linesOf("lib/which.js", [], { runtime });
const rounds = Number(options.rounds);
const begins = (names) => (name) => names === "" || names.split(",").some((start) => name.startsWith(start));

for (const name of options.measure.split(",")) {
  const { rowsOf, measure } = measures[name];
  for (const row of rowsOf.filter(begins(options.rows))) {
    const candidates = candidatesOn(label, name).filter((one) => begins(options.candidates)(one.name));
    const earlier = options.before === undefined ? [] : candidates.slice(0, 1).map(asBefore);
    const measured = [...candidates, ...earlier].filter(({ without }) => without[row] === undefined);
    const samples = await measure(row, measured);
    const left = Object.fromEntries(
      candidates.flatMap(({ name: left, without }) => (without[row] ? [[left, without[row]]] : [])),
    );
    print(name, row, samples, left);
    // Tables are of one build.
    for (const { name: compared } of earlier) samples.delete(compared);
    if (options.write) keep({ label, version, measure: name, row, samples, left });
  }
}

/** Our candidate, of the build that is compared. */
function asBefore(own) {
  return { ...own, name: `${own.name}, before`, built: own.name, env: { BENCH_DIST: options.before } };
}

function memoryRows() {
  return ["R1", "R2"].flatMap((row) => ["live heap", "resident set"].map((what) => `${row}, ${what}`));
}

function allBut(...names) {
  return Object.keys(rows).filter((row) => !names.includes(row));
}

/** One figure for each candidate and round, of a process of its own. */
function inProcesses(script) {
  return (row, candidates) => {
    const samples = new Map(candidates.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const { name, built = name, env } of shuffled(candidates, random)) {
        const how = { runtime, env: { NODE_ENV: "production", ...env } };
        samples.get(name).push(linesOf(script, [built, row], how)[0].median);
      }
    }
    return samples;
  };
}

/** Several launches, each with servers of its own, warmed up; in each round all are loaded in turn. */
async function overSockets(row, candidates) {
  const samples = new Map(candidates.map(({ name }) => [name, []]));
  const connections = 50;
  for (let launch = 0; launch < Number(options.launches); launch++) {
    const servers = new Map();
    try {
      for (const { name, file, args, env } of candidates) {
        const url = new URL(`requests/servers/${file}.js`, import.meta.url);
        const server = await startServer(name, url, await freePort(), { runtime, args, env });
        servers.set(server, []);
        const requests = await checked(server.port, rows[row].requests).catch((error) => {
          throw new Error(`${name} does not answer ${row} as the others do`, { cause: error });
        });
        servers.set(server, requests);
      }
      for (const [{ port }, requests] of servers)
        await drive(port, requests, { connections, milliseconds: Number(options.warmup) });
      const load = { connections, milliseconds: Number(options.load) };
      const taken = await loadInTurn([...servers.keys()], rounds, load, (server) => servers.get(server));
      for (const { name, cpu } of taken) samples.get(name).push(...cpu);
    } finally {
      for (const { stop } of servers.keys()) stop();
    }
  }
  return samples;
}

/** What each takes, and the first one's ratio to it within a round: the median, the least and the most. */
function print(measure, row, samples, left) {
  const [own] = samples.values();
  console.log(`\n${label}, ${measure}, ${row}`);
  for (const [name, all] of samples) {
    const ratios = ratiosOf(own, all);
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    console.log(
      `  ${median(ratios).toFixed(2)} x ${name.padEnd(40)} ${median(all).toFixed(1).padStart(7)}   (${range})`,
    );
  }
  for (const [name, why] of Object.entries(left)) console.log(`     - ${name}: ${why}`);
}
