// Programs of Markdown, run one by one: what each prints, or how it fails.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { freePort } from "./ports.js";

const run = promisify(execFile);

/** Imports programs one by one, and prints what each printed, or how it failed. */
const runner = `
  import { format } from "node:util";
  const results = [];
  for (const file of process.argv.slice(2)) {
    const lines = [];
    console.log = (...values) => void lines.push(format(...values).trimEnd());
    try {
      await import(file);
      results.push({ lines });
    } catch (error) {
      results.push({ lines, error: String(error?.stack ?? error) });
    }
  }
  process.stdout.write(JSON.stringify(results));
  process.exit();
`;

/** What is printed of a program, whose port is another one each time. */
export const withoutPort = (text) => text.replaceAll(/\blocalhost:\d+/g, "localhost");

/** Runs programs in a folder from which the package is found: for each, its `lines`, and its `error` if it failed. */
export async function runPrograms(folder, programs) {
  const files = await Promise.all(programs.map((code, at) => written(folder, code, at)));
  const isTest = programs.map((code) => code.includes('"node:test"'));
  const plain = files.filter((_, at) => !isTest[at]);
  writeFileSync(join(folder, "runner.mjs"), runner);
  const { stdout } = await run(process.execPath, [join(folder, "runner.mjs"), ...plain], {
    // Programs that write files write them here.
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
  const results = JSON.parse(stdout);
  return Promise.all(files.map((file, at) => (isTest[at] ? tested(file) : results[plain.indexOf(file)])));
}

/** A program as a file; a port that it names may be taken here. */
async function written(folder, code, at) {
  const file = join(folder, `${at}.mjs`);
  const port = /\b(?:3000|8080)\b/.test(code) ? await freePort() : "0";
  const result = await transform(code.replace(/\b(?:3000|8080)\b/g, port), { loader: "ts", target: "node20" });
  writeFileSync(file, result.code);
  return file;
}

/** Programs of tests end by themselves, and print how long each test took. */
const tested = (file) =>
  run(process.execPath, [file]).then(
    ({ stdout }) => (/^# pass [1-9]/m.test(stdout) ? { lines: [] } : { lines: [], error: `No test ran:\n${stdout}` }),
    ({ stdout }) => ({ lines: [], error: stdout }),
  );

/** Runs programs of pages against the package in a folder, with its dist/. */
export async function printedBy(root, programs) {
  // Below node_modules/, so that what programs import besides is found.
  const folder = mkdtempSync(join(root, "node_modules", ".running-"));
  try {
    const target = join(folder, "node_modules/fingerpost");
    mkdirSync(target, { recursive: true });
    copyFileSync(join(root, "package.json"), join(target, "package.json"));
    symlinkSync(join(root, "dist"), join(target, "dist"));
    return await runPrograms(
      folder,
      programs.map(({ code }) => code),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
