// Keeps what a release promises, for the releases after it: the reports of its interface, and the programs of its docs
// that compile. Run it where the release is built, after its changelog was cut. scripts/check/since-last.js compares
// with it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { faultsOfPrograms, programsOf } from "../check/lib/compiled-programs.js";
import { keptInterface, reportNameOf } from "../check/lib/kept-interface.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const entries = {};
for (const [key, { types }] of Object.entries(exports))
  if (types !== undefined) entries[`fingerpost${key.slice(1)}`] = reportNameOf(types);
const reports = Object.fromEntries(
  [...new Set(Object.values(entries))].map((name) => [
    name,
    readFileSync(join(root, "tests/package/api", `${name}.txt`), "utf8"),
  ]),
);

// One page says how to come from the release before.
const docs = readdirSync(join(root, "docs"), { recursive: true }).filter(
  (file) => file.endsWith(".md") && !/(?:^|\/)(?:node_modules|dist|\.[^/]+)\/|^from-beta/.test(file),
);
const pages = ["README.md", ...docs.map((file) => `docs/${file}`).toSorted()];
const programs = pages.flatMap((page) => programsOf(page, readFileSync(join(root, page), "utf8")));
const faults = faultsOfPrograms(root, programs);
const compiled = programs.filter((_, at) => faults[at].length === 0);

const kept = JSON.stringify({ version, entries, reports, programs: compiled });
writeFileSync(keptInterface, gzipSync(kept, { level: 9 }));
console.log(
  `kept: ${Object.keys(entries).length} names of ${Object.keys(reports).length} entries, ` +
    `${compiled.length} of ${programs.length} programs`,
);
