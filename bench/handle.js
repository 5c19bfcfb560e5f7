// Measures what an application adds to `async () => response`, one framework a process: `node bench/handle.js`; see README.md.
import { parseArgs } from "node:util";
import { clockOf, subjectOf } from "./lib/app-clock.js";
import { appNames, appOf } from "./lib/apps.js";
import { measuredIn } from "./lib/processes.js";
import { median, sample } from "./lib/sampling.js";

const { values: options } = parseArgs({
  options: {
    app: { type: "string" },
    apps: { type: "string", default: appNames.join(",") },
    row: { type: "string", default: "all together" },
    response: { type: "string", default: "shared" },
    rounds: { type: "string", default: "11" },
    processes: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
  },
});

// Making the requests takes ten times as long as what is measured.
const effort = { warmupMs: 120, sampleMs: 4, tries: 2 };

if (options.app !== undefined) await measureHere(await appOf(options.app));
else measureEach();

async function measureHere(app) {
  const { handle, floor, inputOf, rows } = await subjectOf(app, options.response);
  const inputs = rows[options.row];
  const clocks = { app: clockOf(handle, inputs, inputOf), floor: clockOf(floor, inputs, inputOf) };
  const times = await sample(clocks, { rounds: Number(options.rounds), ...effort });
  const ns = median(times.app.map((time, round) => time - times.floor[round]));
  print([{ name: app.name, generatesCode: app.generatesCode ?? false, ns, floor: median(times.floor) }]);
}

function measureEach() {
  const args = [`--response=${options.response}`, `--row=${options.row}`, `--rounds=${options.rounds}`];
  const results = options.apps
    .split(",")
    .flatMap((name) => measuredIn(Number(options.processes), "handle.js", [`--app=${name}`, ...args])[0].results);
  print(results.map((result) => ({ ...result, ratio: results[0].ns / result.ns })));
}

function print(results) {
  if (options.json) return console.log(JSON.stringify({ row: options.row, response: options.response, results }));
  for (const { name, ns, floor, ratio = 1 } of results) {
    console.log(
      `${ratio.toFixed(2).padStart(6)} x ${name.padEnd(26)} +${ns.toFixed(0)} ns over ${floor.toFixed(0)} ns`,
    );
  }
}
