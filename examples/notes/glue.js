// Counts what stands between HTTP and the application: all of application.ts and main.ts, and each `static middleware`,
// without imports, comments and empty lines. More than 31 lines fail, and more than 470 of the whole server.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("server/", import.meta.url);
const files = new Map(
  readdirSync(folder).map((file) => {
    const code = readFileSync(new URL(file, folder), "utf8").replaceAll(/^import [^;]*;$/gm, "");
    return [file, code.split("\n").filter((line) => line.trim() !== "" && !/^\s*(?:\/|\*)/.test(line))];
  }),
);
const glue = [...files].flatMap(([file, lines]) =>
  ["application.ts", "main.ts"].includes(file)
    ? lines
    : lines.filter((line) => /static (?:readonly )?middleware/.test(line)),
);
const all = [...files.values()].flat();
console.log(`glue: ${glue.length} lines of at most 31`);
console.log(`server: ${all.length} lines of at most 470, without imports`);
process.exitCode = glue.length > 31 || all.length > 470 ? 1 : 0;
