// The files that are served: always the same, with a date of their own.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const texts = {
  "index.html": "<h1>Home</h1>",
  "poem.txt": "Less is more",
  "empty.txt": "",
  "app.js": "const a = 1;\n".repeat(100),
  ".env": "secret",
  "sub/index.html": "<h1>Below</h1>",
};

/** Calls a function with a folder of them, and deletes it. */
export async function withFiles(use) {
  const folder = mkdtempSync(join(tmpdir(), "exchanges-"));
  const date = new Date("2026-01-31T12:00:00Z");
  try {
    mkdirSync(join(folder, "sub"));
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(folder, name), text);
      utimesSync(join(folder, name), date, date);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
