import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

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
  const args = [program, command, module];
  const { status, stderr, ...ended } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", stdout, "pipe"],
    timeout: 30_000,
  });
  return { status, stdout: ended.stdout, stderr };
}

describe("fingerpost", () => {
  it("prints what was found out, and exits though the module keeps the process", () => {
    expect(run("check", "setInterval(() => {}, 1000);")).toEqual({ status: 0, stdout: "Nothing found\n", stderr: "" });
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
    ["throw new RangeError('mine');", /^RangeError: mine\n    at .*module\.js/],
    ["throw 'a text';", refused('the module threw "a text"')],
    ["throw undefined;", refused("the module threw undefined")],
    ["throw { toString() { throw new Error('no'); } };", refused("the module threw an object")],
    ["throw Object.create(null);", refused("the module threw an object")],
    [
      "throw new Proxy({}, { getPrototypeOf() { throw 1; } });",
      refused("the module threw something that cannot be shown"),
    ],
    ["const error = new Error('x'); error.stack = 7; throw error;", /^Error: x\n$/],
    [`Promise.reject(new RangeError('late')); ${wait}`, /^RangeError: late\n/],
    [`process.nextTick(() => { throw { toString: 1 }; }); ${wait}`, refused("the module threw an object")],
  ])("exits with 2 if the module throws: %s", (source, stderr) => {
    expect(run("check", source)).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(stderr) });
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
