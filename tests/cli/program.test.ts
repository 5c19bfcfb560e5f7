import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { addSaid } from "../support/recorded-errors.ts";

// The program is tried as a process of its own, which exits: bundled, as Node does not run its source.
const folder = mkdtempSync(join(tmpdir(), "fingerpost-cli-"));
const program = join(folder, "dist", "cli", "main.js");

beforeAll(async () => {
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "version": "3.0.0" }');
  await build({
    entryPoints: [fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["recheck"],
    logLevel: "error",
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const application = "export const app = { resources: [], match() {} };\n";

const wait = "await new Promise((done) => setTimeout(done, 1000));";
const refused = (reason: string): RegExp => new RegExp(`^Cannot carry out the command: ${reason}\\n$`);

/** Runs the program on a module of this source. */
function run(command: "check" | "routes", source: string, stdout: "pipe" | number = "pipe") {
  const module = join(folder, "module.js");
  writeFileSync(module, application + source);
  return runOn(module, command, stdout);
}

function runOn(module: string, command: "check" | "routes", stdout: "pipe" | number = "pipe") {
  const args = [program, command, module];
  const { status, stderr, ...ended } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", stdout, "pipe"],
    timeout: 30_000,
  });
  addSaid(stderr);
  return { status, stdout: ended.stdout, stderr };
}

describe("fingerpost mock", () => {
  it("C22.4 says which package it needs where that is missing", async () => {
    const apart = mkdtempSync(join(tmpdir(), "fingerpost-mock-"));
    onTestFinished(() => rmSync(apart, { recursive: true }));
    mkdirSync(join(apart, "dist", "cli"), { recursive: true });
    writeFileSync(join(apart, "package.json"), '{ "type": "module", "version": "3.0.0" }');
    writeFileSync(join(apart, "module.js"), application);
    await build({
      entryPoints: [fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))],
      outdir: join(apart, "dist", "cli"),
      bundle: true,
      splitting: true,
      platform: "node",
      format: "esm",
      external: ["recheck", "json-schema-faker", "ws"],
      logLevel: "error",
    });
    const { status, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", "mock", "./module.js"], {
      cwd: apart,
      encoding: "utf8",
      timeout: 30_000,
    });
    addSaid(stderr);
    expect([status, stderr]).toEqual([
      2,
      "Cannot mock the application: json-schema-faker is not installed; run npm install -D json-schema-faker\n",
    ]);
  });
});

describe("fingerpost", () => {
  it("prints what was found out, and exits though the module keeps the process", () => {
    expect(run("check", "setInterval(() => {}, 1000);")).toEqual({ status: 0, stdout: "Nothing found\n", stderr: "" });
  });

  it("prints to the standard output what it found out, and nothing that the module prints", () => {
    const noise = 'console.log("dotenv: 3 variables"); process.stdout.write("raw\\n"); console.table([1]);';
    const { status, stdout, stderr } = run("check", noise);
    expect([status, stdout]).toEqual([0, "Nothing found\n"]);
    expect(stderr).toMatch(/^dotenv: 3 variables\nraw\n/);
  });

  it.each([[0], [1], [7]])("exits with 2 if the module ends the process with %d", (code) => {
    const stderr = "Cannot carry out the command: the module ended the process while it was used\n";
    expect(run("check", `process.exit(${code});`)).toEqual({ status: 2, stdout: "", stderr });
  });

  it("exits with 2 if a top-level await never settles", () => {
    const stderr = "Cannot carry out the command: the module awaits something at its top level that never settles\n";
    expect(run("check", "await new Promise(() => {});")).toEqual({ status: 2, stdout: "", stderr });
  });

  it.each([
    ["throw new RangeError('mine');", /^RangeError: mine\n    at .*module\.js:2:\d+\n$/],
    ["new URL('no');", /^TypeError: Invalid URL\n    at .*module\.js:2:\d+\n/],
    ["import './nowhere.js';", /^Error \[ERR_MODULE_NOT_FOUND\]: .*nowhere\.js.*\n$/],
    ["import { nothing } from 'node:url';", /module\.js:2\n.*\n +\^+\nSyntaxError: .*\n$/],
    ["export const = 1;", /^SyntaxError: .*\nRun the module by itself to see where\n$/],
    ["throw 'a text';", refused('the module threw "a text"')],
    ["throw undefined;", refused("the module threw undefined")],
    ["throw { toString() { throw new Error('no'); } };", refused("the module threw an object")],
    ["throw Object.create(null);", refused("the module threw an object")],
    [
      "throw new Proxy({}, { getPrototypeOf() { throw 1; } });",
      refused("the module threw something that cannot be shown"),
    ],
    ["const error = new Error('x'); error.stack = 7; throw error;", /^Error: x\n$/],
    [
      "import { runInNewContext } from 'node:vm'; throw runInNewContext('new RangeError(\"far\")');",
      /^RangeError: far\n    at /,
    ],
    [`Promise.reject(new RangeError('late')); ${wait}`, /^RangeError: late\n/],
    [`process.nextTick(() => { throw { toString: 1 }; }); ${wait}`, refused("the module threw an object")],
  ])("exits with 2 if the module throws: %s", (source, stderr) => {
    expect(run("check", source)).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(stderr) });
  });

  it.each([
    ["one that can only be imported", { exports: { ".": { import: "./right.mjs" } } }, ""],
    [
      "one that import and require() find in two places",
      { exports: { import: "./right.mjs", require: "./x.cjs" } },
      "",
    ],
    ["one without exports", { main: "right.cjs" }, ""],
    ["a path in it", { exports: { "./a": { import: "./right.mjs" } } }, "/a"],
    ["a path in it as require() reads it", {}, "/right"],
  ])("finds a package by its name from the working directory, as import() does: %s", (_, manifest, path) => {
    const home = join(folder, "node_modules", "@a", "package");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ ...manifest, name: "@a/package" }));
    writeFileSync(join(home, "right.mjs"), application);
    writeFileSync(join(home, "right.cjs"), "exports.app = { resources: [], match() {} };");
    writeFileSync(join(home, "right.js"), "exports.app = { resources: [], match() {} };");
    expect(runOn(`@a/package${path}`, "check")).toEqual({ status: 0, stdout: "Nothing found\n", stderr: "" });
    rmSync(home, { recursive: true });
  });

  it("finds a file by its path from the working directory", () => {
    writeFileSync(join(folder, "near.js"), application);
    for (const module of ["near.js", "./near.js", "./near"]) expect(runOn(module, "check").stderr).toBe("");
  });

  it("exits with 2 and one line if Node does not run the file, or one that it imports, and says what does", () => {
    const file = join(folder, "model.tsx");
    writeFileSync(file, application);
    const runners = 'Node 22.18 for .ts, tsx or Bun, as in "bun --bun node_modules/.bin/fingerpost"';
    const reason = `does not run ${file}; compile it to JavaScript first, or use what runs it: ${runners}`;
    const stderrOf = (module: string) => `Cannot use ${module}: Node ${process.versions.node} ${reason}\n`;
    expect(runOn("model.tsx", "routes")).toEqual({ status: 2, stdout: "", stderr: stderrOf("model.tsx") });
    const stderr = stderrOf(join(folder, "module.js"));
    expect(run("routes", "export * from './model.tsx';")).toEqual({ status: 2, stdout: "", stderr });
  });

  it.each([
    ["export { app as default };", ""],
    ["export const model = { resources: [] };", ""],
    ["export const matching = { resources: 0, match() {} };", ""],
    [`export const another = { ...app };`, "expected one application, got another, app; choose by --export"],
  ])("takes for the application what has resources and match(), once: %s", (source, problem) => {
    const { status, stderr } = run("check", source);
    expect(status).toBe(problem === "" ? 0 : 2);
    expect(stderr).toMatch(problem);
  });

  it("runs as the link that npm makes to it", () => {
    const link = join(folder, "fingerpost");
    symlinkSync(program, link);
    const { stdout } = spawnSync(process.execPath, [link, "--version"], { encoding: "utf8" });
    expect(stdout).toBe("3.0.0\n");
  });

  it.skipIf(!existsSync("/dev/full"))("exits with 2 if its output cannot be written", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = run("routes", "", full);
    closeSync(full);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^Cannot write the output: ENOSPC: no space left on device/),
    });
  });

  it("is done where a reader wants no more of its output", () => {
    const source = `
      const resource = { name: "x".repeat(150), patterns: [], methods: [], middleware: [] };
      app.resources.push(...Array.from({ length: 20_000 }, () => resource));`;
    const module = join(folder, "module.js");
    writeFileSync(module, application + source);
    const line = `"${process.execPath}" "${program}" routes "${module}" | head -c 10; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", line], { encoding: "utf8", timeout: 30_000 });
    expect({ stdout, stderr }).toEqual({ stdout: "PATTERN   0\n", stderr: "" });
  });
});
