// Writes the files of a folder as a module, for a worker has no file system: node build.js public site.js
import { readdirSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { snapshot } from "fingerpost/folder";

const [, program, ...names] = process.argv;
if (program === fileURLToPath(import.meta.url)) await writeModule(...names);

/** What is hidden, a link or no file is left out, as `snapshot()` does. */
export async function writeModule(folder, module) {
  const source = snapshot(folder);
  const files = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, `${entry.parentPath ?? entry.path}/${entry.name}`).split(sep);
    const stored = await source.find(path, null);
    if (stored === undefined) continue;
    const { length, etag, type } = stored;
    files[path.join("/")] = { etag, type, base64: Buffer.from(stored.read(0, length)).toString("base64") };
  }
  writeFileSync(module, `export default ${JSON.stringify(files, null, 1)};\n`);
}
