// Writes the table of hostile targets into tests/hostile-targets.md: `node scripts/check/hostile-targets-page.js`. With
// --check, only looks.
import { readFileSync, writeFileSync } from "node:fs";
import { importTypeScript } from "../build/import-typescript.js";

const file = new URL("../../tests/hostile-targets.md", import.meta.url);
const { withTargets } = await importTypeScript("tests/cases/paths-page.ts");

const page = readFileSync(file, "utf8");
const written = withTargets(page);
if (written === page) {
  console.log("tests/hostile-targets.md is up to date");
} else if (process.argv.includes("--check")) {
  console.log("tests/hostile-targets.md is not up to date; run node scripts/check/hostile-targets-page.js");
  process.exitCode = 1;
} else {
  writeFileSync(file, written);
  console.log("tests/hostile-targets.md is written");
}
