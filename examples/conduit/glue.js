// Counts what stands between HTTP and the application: validation, HEAD, 405 and OPTIONS, tokens, the document, the
// shape of errors, and wiring. That is all of application.ts and guards.ts but imports, comments and empty lines. More
// than 35 lines fail.
import { readFileSync } from "node:fs";

const limit = 35;
let total = 0;
for (const file of ["application.ts", "guards.ts"]) {
  const code = readFileSync(new URL(file, import.meta.url), "utf8").replaceAll(/^import [^;]*;$/gm, "");
  const lines = code.split("\n").filter((line) => line.trim() !== "" && !line.trim().startsWith("/"));
  console.log(`glue: ${file} has ${lines.length} lines`);
  total += lines.length;
}
console.log(`glue: ${total} lines of at most ${limit}`);
process.exitCode = total > limit ? 1 : 0;
