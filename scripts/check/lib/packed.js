// Packs the package as it would be published.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Packs a package into a folder. Returns what npm says of it: `filename`, `files` and `size`. Blocks nothing. */
export async function packInto(folder, source = root) {
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const { stdout } = await promisify(execFile)("npm", args, { cwd: source, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout)[0];
}
