// Measures everything, and writes measured/, results/ and the figures of docs/benchmarks.md: `npm run bench`, which
//   takes minutes. --runtime=node node (the one at hand), node-22, node-24, node-26, bun, deno, or all
//   --only=hono,build some sections (lib/plan.js); what there is of the others stays --processes=3 processes for each
//   figure, of which the median counts
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { install } from "../scripts/build/install.js";
import { checkCases } from "./lib/cases.js";
import { machine } from "./lib/machine.js";
import { plan } from "./lib/plan.js";
import { linesOf, measuredIn } from "./lib/processes.js";
import { measuredFile, rounded } from "./lib/results.js";
import { commandOf, runtimeNames } from "./lib/runtimes.js";

const { values: options } = parseArgs({
  options: {
    runtime: { type: "string", default: "node" },
    only: { type: "string", default: Object.keys(plan).join(",") },
    processes: { type: "string", default: "3" },
  },
});
const chosen = options.runtime === "all" ? runtimeNames : options.runtime.split(",");
const root = fileURLToPath(new URL(".", import.meta.url));
install(root, "what the benchmarks compare with");
if (chosen.some((name) => name !== "node")) install(`${root}../tests/runtimes/`, "the runtimes");
console.log(`The build gives the expected answers to ${await checkCases()} rows of the case table`);
mkdirSync(new URL("measured/", import.meta.url), { recursive: true });
for (const name of chosen) measureOn(name);
await import("./report.js");

function measureOn(name) {
  const runtime = commandOf(name);
  const [{ label, version }] = linesOf("lib/which.js", [], { runtime });
  const file = measuredFile(label);
  const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { sections: {} };
  for (const section of options.only.split(",")) {
    console.log(`${label}: ${section} …`);
    const steps = plan[section].filter(({ runsOn = /./ }) => runsOn.test(label));
    if (steps.length === 0) continue;
    known.sections[section] = steps.flatMap((step) => rowsOf(step, runtime));
    const [{ processes = Number(options.processes) }] = steps;
    const how = { date: new Date().toISOString().slice(0, 10), processes, machine: machine() };
    known.measured = { ...known.measured, [section]: how };
    writeFileSync(file, `${JSON.stringify({ ...known, runtime: label, version }, rounded, 1)}\n`);
  }
}

/** The rows of one step. What fails on a runtime is noted, and does not keep the rest from being measured. */
function rowsOf({ script, args, processes }, runtime) {
  try {
    return processes === undefined
      ? measuredIn(Number(options.processes), script, args, { runtime })
      : linesOf(script, [...args, "--json"], { runtime });
  } catch (error) {
    console.error(error.message);
    return [{ script, args, failed: error.message.split("\n").slice(0, 8).join("\n").slice(0, 600) }];
  }
}
