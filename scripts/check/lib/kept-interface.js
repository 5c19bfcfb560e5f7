// What was promised by a release: scripts/release/kept-interface.js writes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** The file with the interface of the release before, or of beta.1, which docs/from-beta-1.md leads from. */
export const keptInterface = (name) =>
  fileURLToPath(new URL(`../../../tests/releases/${name}.json.gz`, import.meta.url));

/** Reads the version, the names of entries with the report of each, the reports, and the programs of its docs. */
export const readKeptInterface = (name) => JSON.parse(gunzipSync(readFileSync(keptInterface(name))).toString());

/** The version of a package, the names of its entries with the report of each, and the reports, as they are now. */
export function readInterface(root) {
  const { version, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = {};
  for (const [key, { types }] of Object.entries(exports))
    if (types !== undefined) entries[`fingerpost${key.slice(1)}`] = reportNameOf(types);
  const names = [...new Set(Object.values(entries))];
  const textOf = (name) => readFileSync(join(root, "tests/package/api", `${name}.txt`), "utf8");
  return { version, entries, reports: Object.fromEntries(names.map((name) => [name, textOf(name)])) };
}

/** The name of the report on a file of declarations: without the room, where no other has an entry of that name. */
export const reportNameOf = (types) =>
  types
    .replace("./dist/", "")
    .replace(/^(?:modules|middleware|content|servers)\//, "")
    .replaceAll("/", "-")
    .replace(/\.d\.ts$/, "");
