// Fails where this state does not keep what the release before promised: an export or member that is lost, narrowed or
// stable no longer, and a program of its docs that does not compile, fails, or prints something else. What beta.1 had
// is compared by docs/from-beta-1.md: programs that its tables change must compile, and the rest is only counted.
// Needs dist/. With `--all`, prints what is only counted, too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changesSince } from "./lib/changes-since.js";
import { readKeptInterface } from "./lib/kept-interface.js";
import { isTold, readMoves } from "./lib/moved-names.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isWhole = process.argv.includes("--all");
const list = (what, lines) => {
  if (lines.length > 0) console.log(`${what}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
};

const before = readKeptInterface("interface");
const { gone, lost, narrowed, unclear, failing, experimental, exported } = await changesSince(root, before);
list("entries that are gone", gone);
list("lost", lost);
list("narrowed", narrowed);
list("programs that do not do what they did", failing);
list("experimental, and changed", experimental);
if (isWhole) list("changed in a way that the compiler cannot compare", unclear);
console.log(
  `since ${before.version}: ${gone.length} of ${Object.keys(before.entries).length} names of entries are gone; of ` +
    `${exported} exports and their members ${lost.length} are lost and ${narrowed.length} narrowed; ` +
    `${failing.length} of ${before.programs.length} programs of its docs fail`,
);

const page = "docs/from-beta-1.md";
const first = readKeptInterface("beta-1");
const moves = readMoves(readFileSync(join(root, page), "utf8"));
const came = await changesSince(root, first, moves);
const untold = came.failing.filter((fault) => !isTold(moves, fault));
list(`programs of ${first.version} that do not compile by ${page}`, untold);
if (isWhole) for (const kind of ["lost", "narrowed", "unclear"]) list(`${kind} since ${first.version}`, came[kind]);
console.log(
  `since ${first.version}: of ${came.exported} exports and their members ${came.lost.length} are lost and ` +
    `${came.narrowed.length} narrowed; ${first.programs.length - untold.length} of ${first.programs.length} programs ` +
    `compile by ${page}`,
);
process.exitCode = [gone, lost, narrowed, failing, untold].every((faults) => faults.length === 0) ? 0 : 1;
