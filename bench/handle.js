// Measures what an application adds to `async () => response`, one framework a process, or two builds of one together:
// `node bench/handle.js`; see README.md.
import { parseArgs } from "node:util";
import { clockOf, subjectOf } from "./lib/app-clock.js";
import { appNames, appOf } from "./lib/apps.js";
import { linesOf } from "./lib/processes.js";
import { randomFrom, shuffled } from "./lib/random.js";
import { median, sample } from "./lib/sampling.js";

const { values: options } = parseArgs({
  options: {
    app: { type: "string" },
    apps: { type: "string", default: appNames.join(",") },
    row: { type: "string", default: "all together" },
    response: { type: "string", default: "shared" },
    middleware: { type: "string", default: "0" },
    rounds: { type: "string", default: "11" },
    processes: { type: "string", default: "3" },
    together: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

// Making the requests takes ten times as long as what is measured.
const effort = { warmupMs: 120, sampleMs: 4, tries: 2 };

if (options.app !== undefined) await measureHere(await Promise.all(options.app.split(",").map(appOf)));
else measureEach();

async function measureHere(apps) {
  const clocks = {};
  for (const app of shuffled(apps, randomFrom(Date.now()))) {
    const { handle, floor, inputOf, rows } = await subjectOf(app, options.response, Number(options.middleware));
    clocks[app.name] = clockOf(handle, rows[options.row], inputOf);
    clocks.floor ??= clockOf(floor, rows[options.row], inputOf);
  }
  const times = await sample(clocks, { rounds: Number(options.rounds), ...effort });
  const results = apps.map(({ name, generatesCode = false }) => {
    const ns = median(times[name].map((time, round) => time - times.floor[round]));
    return { name, generatesCode, ns, floor: median(times.floor) };
  });
  print(results);
}

/**
 * Each in turn, and again: what the machine has to do besides changes from minute to minute, and ratios are of one
 * turn.
 */
function measureEach() {
  const passedOn = ["response", "middleware", "row", "rounds"];
  const args = [...passedOn.map((name) => `--${name}=${options[name]}`), "--json"];
  const processes = options.together ? [options.apps] : options.apps.split(",");
  const random = randomFrom(Date.now());
  const turns = Array.from({ length: Number(options.processes) }, () => {
    const measured = new Map();
    for (const app of shuffled(processes, random)) measured.set(app, resultsOf(app, args, app === processes[0]));
    const results = processes.flatMap((app) => measured.get(app));
    const wholeOf = ({ ns, floor }) => ns + floor;
    return results.map((result) => ({
      ...result,
      ratio: results[0].ns / result.ns,
      wholeRatio: wholeOf(results[0]) / wholeOf(result),
    }));
  });
  print(
    turns[0].map((result) => {
      const same = turns.flatMap((results) => results.filter(({ name }) => name === result.name));
      const medianOf = (key) => median(same.map((one) => one[key]));
      const medians = ["ns", "floor", "ratio", "wholeRatio"].map((key) => [key, medianOf(key)]);
      return { ...result, ...Object.fromEntries(medians) };
    }),
  );
}

/** What a peer that fails costs is not known; it does not keep the others from being measured. */
function resultsOf(app, args, isNeeded) {
  try {
    return linesOf("handle.js", [`--app=${app}`, ...args])[0].results;
  } catch (error) {
    if (isNeeded) throw error;
    console.error(error.message);
    return [];
  }
}

function print(results) {
  if (options.json) return console.log(JSON.stringify({ row: options.row, response: options.response, results }));
  for (const { name, ns, floor, ratio = 1 } of results) {
    console.log(
      `${ratio.toFixed(2).padStart(6)} x ${name.padEnd(26)} +${ns.toFixed(0)} ns over ${floor.toFixed(0)} ns`,
    );
  }
}
