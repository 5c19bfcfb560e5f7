// What was promised by the release before: scripts/release/kept-interface.js writes it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** The file with the interface of the release before. */
export const keptInterface = fileURLToPath(new URL("../../../tests/releases/interface.json.gz", import.meta.url));

/** Reads the version, the names of entries with the report of each, the reports, and the programs of its docs. */
export const readKeptInterface = () => JSON.parse(gunzipSync(readFileSync(keptInterface)).toString());

/** The name of the report on a file of declarations: without the room, where no other has an entry of that name. */
export const reportNameOf = (types) =>
  types
    .replace("./dist/", "")
    .replace(/^(?:modules|middleware|content|servers)\//, "")
    .replaceAll("/", "-")
    .replace(/\.d\.ts$/, "");
