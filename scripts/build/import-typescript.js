// Lets the scripts use TypeScript files, which Node 20 cannot run: bundled in memory, imported, forgotten.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Imports a file of the repository, given by its path from the root. */
export async function importTypeScript(path) {
  const { outputFiles } = buildSync({
    entryPoints: [root + path],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    alias: { "fingerpost/modules/http.native.js": `${root}src/modules/http.native.ts` },
    write: false,
  });
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  try {
    const file = join(folder, "module.mjs");
    writeFileSync(file, outputFiles[0].contents);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
