// Measures routers side by side on one table, in one process: `node bench/match.js --table=hono`; see README.md.
import { parseArgs } from "node:util";
import { adaptersOf } from "./lib/adapters.js";
import { measureRow, routersOf, warmUp } from "./lib/measure.js";
import { printRow } from "./lib/printing.js";
import { measuredIn } from "./lib/processes.js";
import { quality } from "./lib/sampling.js";
import { tableOf } from "./lib/tables.js";

const { values: options } = parseArgs({
  options: {
    table: { type: "string", default: "hono" },
    rows: { type: "string", default: "" },
    peers: { type: "string" },
    mode: { type: "string", default: "url" },
    read: { type: "boolean", default: false },
    "match-only": { type: "boolean", default: false },
    rounds: { type: "string", default: "9" },
    processes: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});

const { mode, json, processes } = options;
if (processes === "1") await measureHere();
else {
  const args = process.argv.slice(2).filter((arg) => !arg.startsWith("--processes"));
  for (const row of measuredIn(Number(processes), "match.js", args)) printRow(row);
}

async function measureHere() {
  const table = await tableOf(options.table);
  const built = await routersOf(await adaptersOf(options.peers), table);
  for (const consumption of options["match-only"] ? ["match", ...(options.read ? ["read"] : [])] : ["read"]) {
    warmUp(built, table, mode, consumption);
    for (const row of Object.keys(table.rows)) {
      if (!options.rows.split(",").some((wanted) => row.includes(wanted))) continue;
      const result = await measureRow({ ...built, table, row, mode, consumption, rounds: Number(options.rounds) });
      if (json) console.log(JSON.stringify(result));
      else printRow(result);
    }
  }
  if (!json) console.log(`\n${quality.disturbed} of ${quality.samples} samples disturbed`);
}
