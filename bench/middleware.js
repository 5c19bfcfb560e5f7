// Measures what each middleware adds to a request, beside a handler without any: `node bench/middleware.js`; see
// README.md.
import { parseArgs } from "node:util";
import { clockOf } from "./lib/app-clock.js";
import { handleOf, requestOf, rows } from "./lib/middleware-apps.js";
import { median, sample } from "./lib/sampling.js";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "15" },
    json: { type: "boolean", default: false },
  },
});

const chosen = options.only?.split(",");
const results = [];
for (const [row, candidates] of Object.entries(rows)) {
  const names = Object.keys(candidates).filter((name) => name === "none" || (chosen?.includes(name) ?? true));
  if (names.length > 1) results.push(await measured(row, names, candidates));
}
if (options.json) console.log(JSON.stringify(results));
else results.forEach(print);

async function measured(row, names, candidates) {
  const clocks = {};
  for (const name of names) clocks[name] = await clockFor(name, candidates[name]);
  const times = await sample(clocks, { rounds: Number(options.rounds), warmupMs: 300 });
  const middleware = names
    .filter((name) => name !== "none")
    .map((name) => ({
      name,
      ratio: median(times[name].map((time, round) => time / times.none[round])),
      addedNs: median(times[name].map((time, round) => time - times.none[round])),
    }));
  return { row, noneNs: median(times.none), middleware: middleware.toSorted((a, b) => a.ratio - b.ratio) };
}

async function clockFor(name, candidate) {
  const handle = handleOf(candidate);
  // Middleware that refuses what it is measured with would be fast.
  const { status } = await handle(requestOf(candidate));
  if (status !== 200) throw new Error(`Cannot measure ${name}: it answered ${status}`);
  return clockOf(handle, [candidate], requestOf);
}

function print({ row, noneNs, middleware }) {
  console.log(`\n${row}: ${noneNs.toFixed(0)} ns without middleware, content included`);
  for (const { name, ratio, addedNs } of middleware) {
    console.log(`${ratio.toFixed(2).padStart(8)} x ${name.padEnd(22)} +${addedNs.toFixed(0)} ns`);
  }
}
