// Measures what a 404 and a 501 cost beside an ordinary error thrown from an async function: `node bench/refuse.js`.
import { clockOf, contextOf, requestOf, subjectOf } from "./lib/app-clock.js";
import { appOf } from "./lib/apps.js";
import { measuredIn } from "./lib/processes.js";
import { median, sample } from "./lib/sampling.js";

const isJson = process.argv.includes("--json");

class NotFound extends Error {
  constructor() {
    super("Not Found");
    this.name = "NotFound";
    this.status = 404;
  }
}

const ordinary = "ordinary error";
const row = isJson ? await measureHere() : measuredIn(3, "refuse.js", [])[0];
if (isJson) console.log(JSON.stringify(row));
else
  for (const { name, ns, ratio } of row.results)
    console.log(`${ratio.toFixed(2).padStart(6)} x an ordinary error: ${name}, ${ns.toFixed(0)} ns`);

async function measureHere() {
  const native = await subjectOf(await appOf("fingerpost"));
  const polyfill = await subjectOf(await appOf("fingerpost polyfill"));
  const notFound = native.rows.miss;
  const notImplemented = native.rows["all together"].map(({ path }) => ({ method: "DELETE", path }));
  const throwing = async () => {
    throw new NotFound();
  };
  const clocks = {
    [ordinary]: clockOf(caught(throwing, ordinary), notFound, requestOf),
    "404 of the native chain": clockOf(caught(native.handle, "native, 404"), notFound, requestOf),
    "501 of the native chain": clockOf(caught(native.handle, "native, 501"), notImplemented, requestOf),
    "404 of the polyfill chain": clockOf(caught(polyfill.handle, "polyfill, 404"), notFound, contextOf),
    "501 of the polyfill chain": clockOf(caught(polyfill.handle, "polyfill, 501"), notImplemented, contextOf),
  };
  const times = await sample(clocks, { rounds: 11, warmupMs: 200, sampleMs: 4, tries: 2 });
  const results = Object.keys(clocks).map((name) => {
    const ratio = median(times[name].map((time, round) => time / times[ordinary][round]));
    return { name, ns: median(times[name]), ratio };
  });
  return { row: "refusals", results };
}

/** Catches where a server would, by a function of its own; an input that does not fail is none of these. */
function caught(handle, name) {
  return new Function(
    "handle",
    `/* ${name} */ return async (input) => {
    try {
      await handle(input);
    } catch (error) {
      return error.status;
    }
    throw new Error("Nothing was thrown");
  };`,
  )(handle);
}
