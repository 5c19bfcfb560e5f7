// Measures what a match and a request allocate, in bytes: `node bench/bytes.js`. V8 only: it reads the heap of new
// objects, which must be large enough that nothing is collected meanwhile.
import { parseArgs } from "node:util";
import { subjectOf } from "./lib/app-clock.js";
import { appNames, appOf } from "./lib/apps.js";
import { adaptersOf } from "./lib/adapters.js";
import { baseLoopOf, loopOf } from "./lib/loop.js";
import { routersOf } from "./lib/measure.js";
import { linesOf } from "./lib/processes.js";
import { here } from "./lib/runtimes.js";
import { median } from "./lib/sampling.js";
import { tableOf } from "./lib/tables.js";

const { values: options } = parseArgs({
  options: { app: { type: "string" }, peer: { type: "string" }, json: { type: "boolean", default: false } },
});
const peers = ["memoirist", "find-my-way", "rou3", "hono RegExpRouter", "@medley/router"];
const runtime = here(["big nursery"]);
const rows = ["long static", "mixed static", "all together"];
const count = 16_384;

if (options.app !== undefined)
  for (const row of rows) console.log(JSON.stringify(await ofApp(await appOf(options.app), row)));
else if (options.peer !== undefined)
  for (const row of rows) console.log(JSON.stringify(await ofMatch(options.peer, row)));
else measureEach();

function measureEach() {
  const lines = [
    ...["fingerpost", ...peers].flatMap((name) => linesOf("bytes.js", [`--peer=${name}`], { runtime })),
    ...appNames.flatMap((name) => linesOf("bytes.js", [`--app=${name}`], { runtime })),
  ];
  for (const { kind, row, name, bytes } of lines) {
    if (options.json) console.log(JSON.stringify({ kind, row, results: [{ name, bytes }] }));
    else console.log(`${kind.padEnd(7)} ${row.padEnd(14)} ${name.padEnd(24)} ${bytes.toFixed(0).padStart(6)} bytes`);
  }
}

/** The bytes of one match, params not read, over those of its string. */
async function ofMatch(name, row) {
  const table = tableOf("hono");
  const { routers } = await routersOf(await adaptersOf(name), table);
  const { adapter, scope } = routers.find((router) => router.adapter.name === name);
  const inputs = table.rows[row];
  const own = loopOf(adapter, scope, inputs, "url", "match").run;
  const nothing = await allocated(baseLoopOf(inputs, "url", "match").run);
  const readingNothing = await allocated(baseLoopOf(inputs, "url", "read").run);
  // What is subtracted from every router must be the string, and no more where params are read.
  if (Math.abs(readingNothing - nothing) > 1)
    throw new Error(`The base loop allocates ${readingNothing} bytes where it reads, ${nothing} where it does not`);
  return { kind: "match", row, name, bytes: (await allocated(own)) - nothing };
}

/** The bytes of one request, over those of `async () => response`. */
async function ofApp(app, row) {
  const { handle, floor, inputOf, rows } = await subjectOf(app);
  const loop = (handle) => {
    const run = new Function(
      "handle",
      "return async (inputs, count) => { for (let at = 0; at < count; at++) await handle(inputs[at]); };",
    )(handle);
    return async (count) => {
      const inputs = Array.from({ length: count }, (_, at) => inputOf(rows[row][at % rows[row].length]));
      // Reading it once is not the application's: Node makes the text of a URL when it is first asked for.
      for (const { url } of inputs) if (url === "") throw new Error("There is no URL");
      return () => run(inputs, count);
    };
  };
  return {
    kind: "handle",
    row,
    name: app.name,
    bytes: (await allocated(null, loop(handle))) - (await allocated(null, loop(floor))),
  };
}

/**
 * The bytes that one run allocates, when the engine has compiled what runs. Nothing is collected in between by force:
 * that would throw away compiled code that knows the shape of a request, as none is left. A round in which the nursery
 * was collected by itself comes out far below zero, and the median does not see it.
 */
async function allocated(run, prepare = async (count) => () => run(count)) {
  for (let warm = 0; warm < 30; warm++) await (await prepare(count))();
  const measured = [];
  for (let round = 0; round < 7; round++) {
    const prepared = await prepare(count);
    const before = process.memoryUsage().heapUsed;
    await prepared();
    measured.push((process.memoryUsage().heapUsed - before) / count);
  }
  return median(measured);
}
