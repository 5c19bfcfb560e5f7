// Measures what it takes to build a router, and what it then holds in memory:
// `node bench/build.js --table=synthetic-1000`. Each router is built in a process of its own; see README.md.
import { parseArgs } from "node:util";
import { adapterOf, fastNames, ownName } from "./lib/adapters.js";
import { built, entriesOf } from "./lib/candidate.js";
import { start, stop } from "./lib/clock.js";
import { liveBytes } from "./lib/memory.js";
import { linesOf } from "./lib/processes.js";
import { here } from "./lib/runtimes.js";
import { median } from "./lib/sampling.js";
import { tableOf } from "./lib/tables.js";

const { values: options } = parseArgs({
  options: {
    table: { type: "string", default: "synthetic-1000" },
    peer: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

if (options.peer !== undefined) console.log(JSON.stringify(await measureHere(options.peer)));
else for (const name of [ownName, ...fastNames]) measureApart(name);

async function measureHere(name) {
  const adapter = await adapterOf(name);
  const table = tableOf(options.table);
  const entries = entriesOf(adapter, table);
  const before = liveBytes();
  const times = [];
  let router;
  for (let round = 0; round < (table.routes.length > 2000 ? 3 : 20); round++) {
    router = undefined;
    start();
    try {
      router = await built(adapter, entries);
    } catch (error) {
      return { table: options.table, name, refuses: String(error.message).slice(0, 120) };
    }
    times.push(stop());
  }
  const bytes = liveBytes() - before;
  const perRoute = (value) => value / table.routes.length;
  return {
    table: options.table,
    name,
    cold: perRoute(times[0] * 1000),
    warm: perRoute(median(times.slice(1)) * 1000),
    bytes: router === undefined ? NaN : perRoute(bytes),
  };
}

function measureApart(name) {
  const args = [`--peer=${name}`, `--table=${options.table}`];
  const runs = Array.from({ length: 3 }, () => linesOf("build.js", args, { runtime: here(["gc"]) })[0]);
  const figure = (key) => median(runs.map((run) => run[key]));
  const result = runs[0].refuses
    ? runs[0]
    : { ...runs[0], cold: figure("cold"), warm: figure("warm"), bytes: figure("bytes") };
  if (options.json) return console.log(JSON.stringify({ row: options.table, results: [result] }));
  if (result.refuses) return console.log(`${name.padEnd(24)} refuses the table: ${result.refuses}`);
  const { cold, warm, bytes } = result;
  console.log(
    `${name.padEnd(24)} ${cold.toFixed(2)} us a route cold, ${warm.toFixed(2)} warm, ${bytes.toFixed(0)} bytes a route`,
  );
}
