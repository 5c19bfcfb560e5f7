import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { disk } from "fingerpost/files";
import { describe, expect, it, onTestFinished, vi } from "vitest";

/** Stores files of so many chunks, of which none ends. */
const program = (module: string, folder: string, files: readonly number[]): string => `
  import { disk } from ${JSON.stringify(module)};
  const sink = disk(${JSON.stringify(folder)});
  for (let chunks of ${JSON.stringify(files)}) {
    const pull = (controller) => chunks-- > 0 ? controller.enqueue(new Uint8Array(100_000)) : new Promise(() => {});
    void sink.store({ content: new ReadableStream({ pull }, { highWaterMark: 0 }) }, new AbortController().signal);
  }
  setInterval(() => {}, 1_000);
`;

describe.runIf(process.platform === "linux")("C16.2 a process that is killed", () => {
  it.each([
    ["before the first byte of a file", [0]],
    ["within a file", [3]],
    ["within two files", [1, 5]],
  ])("leaves nothing when the next one has started: %s", async (_, files) => {
    const folder = mkdtempSync(join(tmpdir(), "fingerpost-killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [module, uploads] = [join(folder, "disk.mjs"), join(folder, "uploads")];
    const source = fileURLToPath(new URL("../../src/content/uploads/disk.ts", import.meta.url));
    await build({ entryPoints: [source], outfile: module, bundle: true, format: "esm", platform: "node" });
    const code = program(module, uploads, files);
    const child = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: "ignore" });
    const exited = once(child, "exit");
    disk(uploads);
    await vi.waitFor(() => expect(readdirSync(uploads)).toHaveLength(files.length), { timeout: 10_000 });
    // Another process that starts meanwhile takes nothing away.
    disk(uploads);
    expect(readdirSync(uploads)).toHaveLength(files.length);
    child.kill("SIGKILL");
    await exited;
    expect(readdirSync(uploads)).toHaveLength(files.length);
    disk(uploads);
    expect(readdirSync(uploads)).toEqual([]);
  });
});
