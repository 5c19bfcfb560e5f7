// Keeps what a release promises, for the releases after it: the reports of its interface, and the programs of its docs
// that compile, with what each prints, if it prints the same twice. Run it where the release is built, after its
// changelog was cut. scripts/check/since-last.js compares with it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { faultsOfPrograms, programsOf } from "../check/lib/compiled-programs.js";
import { keptInterface, readInterface } from "../check/lib/kept-interface.js";
import { printedBy, withoutPort } from "../check/lib/run-programs.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

// One page says how to come from the release before.
const docs = readdirSync(join(root, "docs"), { recursive: true }).filter(
  (file) => file.endsWith(".md") && !/(?:^|\/)(?:node_modules|dist|\.[^/]+)\/|^from-beta/.test(file),
);
const pages = ["README.md", ...docs.map((file) => `docs/${file}`).toSorted()];
const found = pages.flatMap((page) => programsOf(page, readFileSync(join(root, page), "utf8")));
// A program that imports one that does not compile does not, either.
let programs = found;
for (let faults; faults?.every(({ length }) => length === 0) !== true;) {
  faults = faultsOfPrograms(root, programs);
  programs = programs.filter((_, at) => faults[at].length === 0);
}

// A program that has several files, or needs something beside it, is compiled only.
const alone = programs.filter(({ file }) => file === null);
const runs = [await printedBy(root, alone), await printedBy(root, alone)];
for (const [at, program] of alone.entries()) {
  const [once, again] = runs.map((results) => results[at]);
  const isSame = withoutPort(once.lines.join("\n")) === withoutPort(again.lines.join("\n"));
  if (once.error === undefined && again.error === undefined && isSame) program.printed = once.lines;
}

const kept = readInterface(root);
writeFileSync(keptInterface("interface"), gzipSync(JSON.stringify({ ...kept, programs }), { level: 9 }));
const printing = programs.filter(({ printed }) => printed !== undefined);
console.log(
  `kept: ${Object.keys(kept.entries).length} names of ${Object.keys(kept.reports).length} entries, ` +
    `${programs.length} of ${found.length} programs, ${printing.length} with what they print`,
);
