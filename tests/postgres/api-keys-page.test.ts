// The program of docs/api-keys.md: it compiles, and its tests pass on PGlite.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { testPage, writePage } from "../package/page-files.ts";

const modules = fileURLToPath(new URL("node_modules", import.meta.url));

// PGlite begins slowly, and keeps a timer of ten seconds after it was closed.
it.skipIf(!existsSync(modules))(
  "the page of API keys has files that compile, and 5 tests that pass (installed by scripts/check/postgres-tests.js)",
  { timeout: 180_000 },
  async () => {
    const folder = mkdtempSync(join(modules, ".page-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const names = await writePage("docs/api-keys.md", folder);
    expect(await testPage(folder, names)).toMatch(/^# pass 5\n# fail 0$/m);
  },
);
