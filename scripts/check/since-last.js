// What the release before promised, and this state does not keep: names of entries, exports and members that are lost,
// exports that take less or give other types, and programs of its docs that do not compile, changed as
// docs/from-beta-1.md says. Reports only; with `--strict`, as from the first candidate on, any of them is a failure.
// Needs dist/. With `--all`, prints each fault of each program.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { faultsOfPrograms } from "./lib/compiled-programs.js";
import { exportsOf, narrowedExports } from "./lib/interface-changes.js";
import { readKeptInterface, reportNameOf } from "./lib/kept-interface.js";
import { moved, readMoves, targetOf } from "./lib/moved-names.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [isStrict, isWhole] = ["--strict", "--all"].map((option) => process.argv.includes(option));
const page = "docs/from-beta-1.md";
const before = readKeptInterface();
const moves = readMoves(readFileSync(join(root, page), "utf8"));

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const reportNames = new Map(
  Object.entries(exports).flatMap(([key, { types }]) =>
    types === undefined ? [] : [[`fingerpost${key.slice(1)}`, reportNameOf(types)]],
  ),
);
const reports = new Map();
for (const name of reportNames.values())
  reports.set(name, readFileSync(join(root, "tests/package/api", `${name}.txt`), "utf8"));

// An entry of several names is compared once, by the name that others import.
const entryOf = new Map(Object.entries(before.entries).map(([entry, report]) => [report, entry]));
for (const [entry, report] of Object.entries(before.entries)) {
  const known = entryOf.get(report);
  if (entry.length < known.length) entryOf.set(report, entry);
}

const lost = [];
/** What the page has a row for, by its name alone. */
const told = new Set([...moves.options, ...moves.members].map(({ inner, name }) => inner ?? name));
const pairs = [];
let exported = 0;
for (const [report, entry] of entryOf) {
  for (const [name, was] of exportsOf(before.reports[report])) {
    exported++;
    const target = targetOf(moves, entry, name);
    const row = moves.functions.find(
      (one) => one.name === name && one.parameters === null && (one.entry ?? entry) === entry,
    );
    const now = reports.get(reportNames.get(target));
    const found = now === undefined ? undefined : exportsOf(now).get(row?.now ?? name);
    if (found === undefined) {
      lost.push(`${name} of ${entry}: ${target} has no such name`);
      continue;
    }
    for (const member of was.members)
      if (!found.members.has(member)) {
        const untold = told.has(member) ? "" : `, and ${page} no row`;
        lost.push(`${name}.${member} of ${entry}: ${target} has no such member${untold}`);
      }
    pairs.push({ name, now: row?.now ?? name, entry, old: report, current: reportNames.get(target), was, found });
  }
}
const gone = Object.keys(before.entries).filter((entry) => !reportNames.has(entry));
const { narrowed, unclear } = narrowedExports(root, before.reports, reports, pairs);

const changed = before.programs.map((program) => ({ ...program, code: moved(moves, program.code) }));
const faults = faultsOfPrograms(root, changed);
const failing = changed.flatMap(({ place }, at) =>
  faults[at].length === 0 ? [] : [`${place}: ${(isWhole ? faults[at] : faults[at].slice(0, 1)).join("\n    ")}`],
);
const asTheyAre = changed.filter(({ code }, at) => faults[at].length === 0 && code === before.programs[at].code).length;

const list = (what, lines) => {
  if (lines.length > 0) console.log(`${what}:\n${lines.map((line) => `  ${line}`).join("\n")}`);
};
list("lost", lost);
list("narrowed", narrowed);
list("changed in a way that the compiler cannot compare", unclear);
list(`programs that do not compile by ${page}`, failing);
list(`rows of ${page} that no program can follow`, moves.unread);
const compiled = changed.length - failing.length;
console.log(
  `since ${before.version}: ${gone.length} of ${Object.keys(before.entries).length} names of entries are gone; ` +
    `of ${exported} exports and their members ${lost.length} are lost and ${narrowed.length} narrowed; ` +
    `${compiled} of ${changed.length} programs of its docs compile by ${page}, ${asTheyAre} of them unchanged`,
);
const isKept = gone.length + lost.length + narrowed.length + failing.length === 0;
if (!isKept && !isStrict) console.log("since-last only reports; with --strict this is a failure");
process.exitCode = isStrict && !isKept ? 1 : 0;
