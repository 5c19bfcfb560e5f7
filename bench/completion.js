// Measures how long a language server takes to complete in a client of 600 handlers, after each edit: the processor
// time of the server, which says the same on a machine that does other things, and the shortest of all waits.
// `node bench/completion.js` prints it; `--limit=200` fails over more than that, in milliseconds, with TypeScript 7 and
// declarations.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importTypeScript } from "../scripts/build/import-typescript.js";

const { applicationText, asked, clientText } = await importTypeScript("tests/support/typed-application.ts");
const { languageServer } = await importTypeScript("tests/support/language-server.ts");

const options = new Map(process.argv.slice(2).map((option) => option.split("=")));
const limitMs = options.has("--limit") ? Number(options.get("--limit")) : null;
const names = (options.get("--compilers") ?? "typescript,typescript6,typescript5").split(",");
const edits = 8;
const root = fileURLToPath(new URL("..", import.meta.url));
const { resolve } = createRequire(import.meta.url);
const folderOf = (name) => dirname(resolve(`${name}/package.json`));

mkdirSync(join(root, "node_modules"), { recursive: true });
const scratch = mkdtempSync(join(root, "node_modules", ".completion-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const file = join(scratch, "program.ts");

/** The application as its source, and as declarations, which a compiler or the command line printed. */
const modules = { declarations: "./built/app.js", source: "./app.ts" };

function project(name, more) {
  const paths = {
    fingerpost: [join(root, "src/modules/http.semantics.ts")],
    "fingerpost/client": [join(root, "src/client.ts")],
  };
  const compilerOptions = { types: [], paths, ...more.compilerOptions };
  const text = JSON.stringify({ extends: join(root, "tsconfig.json"), include: [], ...more, compilerOptions });
  writeFileSync(join(scratch, name), text);
}

project("tsconfig.json", { files: ["program.ts"] });
const output = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: root,
  outDir: join(scratch, "out"),
};
project("tsconfig.emit.json", { files: ["app.ts"], compilerOptions: output });
writeFileSync(file, "");
writeFileSync(join(scratch, "app.ts"), applicationText(300, "zod"));
execFileSync(process.execPath, [join(folderOf("typescript"), "bin/tsc"), "-p", join(scratch, "tsconfig.emit.json")]);
mkdirSync(join(scratch, "built"));
const written = join(scratch, "out", scratch.slice(root.length), "app.d.ts");
writeFileSync(join(scratch, "built/app.d.ts"), readFileSync(written));

let isOver = false;
for (const name of names) {
  for (const [kind, module] of Object.entries(modules)) {
    const server = await languageServer(folderOf(name));
    const figures = [];
    for (const what of ["paths", "methods", "statuses"]) {
      const { usedMs, waitedMs } = await measured(server, clientText(module, asked[what]));
      figures.push(`${what} ${usedMs.toFixed(0)} (${waitedMs.toFixed(0)})`);
      // Where processor time cannot be read, nothing is within a limit.
      const isHeld = limitMs !== null && server.version.startsWith("7.") && kind === "declarations";
      isOver ||= isHeld && !(usedMs <= limitMs);
    }
    server.close();
    console.log(`TypeScript ${server.version}, ${kind}, ms of the processor (shortest wait): ${figures.join(", ")}`);
  }
}
process.exitCode = isOver ? 1 : 0;

/** Edits the program, and completes in it, several times. The first time reads all files, and does not count. */
async function measured(server, program) {
  let waitedMs = Infinity;
  let before = 0;
  for (let edit = 0; edit <= edits; edit++) {
    if (edit === 1) before = processorMs(server.pid);
    const edited = "\n".repeat(edit) + program;
    const place = edited.indexOf("¦");
    const text = edited.replace("¦", "");
    const from = performance.now();
    await server.open(file, text);
    const found = await server.completions({ file, text, place });
    if (found.length === 0) throw new Error(`Nothing completes in ${text}`);
    if (edit > 0) waitedMs = Math.min(waitedMs, performance.now() - from);
  }
  return { usedMs: (processorMs(server.pid) - before) / edits, waitedMs };
}

/** The time that a process had a processor, by the counters of Linux, in hundredths of a second. */
function processorMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return NaN;
  }
}
