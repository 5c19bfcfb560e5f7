// Measures servers of static files beside each other: `node bench/files/main.js`; see README.md.
//   --servers=sirv,nginx   some of them, by name; the first is what the others are compared with
//   --cases="1 kB,304"     some of the rows
//   --rounds=9             how often each is loaded
//   --write                writes results/files.json and results/files.md
//   --json                 prints a line of JSON a row: the CPU that a request costs the first server, x each other
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { install } from "../../scripts/build/install.js";
import { freePort } from "../../scripts/check/lib/ports.js";
import { drive, loadInTurn } from "../lib/load.js";
import { machine } from "../lib/machine.js";
import { cases, checked, Disagreement, writeFiles } from "./cases.js";
import { ratio, textOf, write } from "./report.js";
import { servers as known } from "./servers.js";

const { values: options } = parseArgs({
  options: {
    servers: { type: "string", default: Object.keys(known).join(",") },
    cases: { type: "string", default: Object.keys(cases).join(",") },
    rounds: { type: "string", default: "9" },
    connections: { type: "string", default: "16" },
    milliseconds: { type: "string", default: "700" },
    write: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const list = (text) => text.split(",");
const load = {
  connections: Number(options.connections),
  milliseconds: Number(options.milliseconds),
};
install(fileURLToPath(new URL("..", import.meta.url)), "what the benchmarks compare with");
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bench-files-")));
const servers = [];
try {
  const root = join(scratch, "public");
  writeFiles(root);
  // The tag of a file is weak for two seconds after its last change, and a client counts on answers of one length.
  await setTimeout(2_100);
  for (const name of list(options.servers)) await begin(name, root);
  const rows = [];
  for (const name of list(options.cases)) rows.push(await measured(name));
  const result = {
    version: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    // Of one that has other work, rates say little.
    loadBefore: loadavg()[0],
    rounds: Number(options.rounds),
    load,
    rows,
  };
  if (options.write) write(result);
  const [own, ...peers] = list(options.servers);
  if (options.json) {
    for (const row of rows) {
      const cpu = Object.fromEntries(peers.map((peer) => [peer, ratio(row, "cpu", own, peer)]));
      console.log(JSON.stringify({ row: row.name, cpu }));
    }
  } else console.log(textOf(result));
} finally {
  for (const { stop } of servers) stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function begin(name, root) {
  if (known[name] === undefined) throw new Error(`No server is called "${name}": ${Object.keys(known).join(", ")}`);
  if (!known[name].isThere()) return console.error(`${name} is not measured: it is not installed`);
  servers.push(await known[name].start(name, await freePort(), root, scratch));
}

/** Checks each server, warms it up, and then loads all of them in turn. */
async function measured(name) {
  const asked = new Map();
  const results = {};
  for (const server of servers) {
    results[server.name] = {};
    try {
      const requests = await checked(server.port, cases[name]);
      asked.set(server, requests);
      await drive(server.port, requests, { ...load, milliseconds: 1500 });
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      results[server.name] = { excluded: error.message };
    }
  }
  const taken = await loadInTurn([...asked.keys()], Number(options.rounds), load, (server) => asked.get(server));
  for (const { name: own, cpu, rate } of taken) results[own] = { cpu, rate };
  return { name, results };
}
