import { describe, expect, it, vi } from "vitest";
import type { FileSource, FoundFile } from "../../src/content/file-source.ts";
import { folderOf } from "./folders.ts";

type Compress = (bytes: Uint8Array, options: object, done: (error: Error | null, result?: Uint8Array) => void) => void;

/** A snapshot in a runtime whose zlib has other functions. */
async function snapshotWith(functions: Readonly<Record<string, Compress>>): Promise<FileSource> {
  vi.resetModules();
  vi.doMock("node:zlib", async (importOriginal) => ({
    ...(await importOriginal<object>()),
    zstdCompress: undefined,
    ...functions,
  }));
  const { snapshot } = await import("../../src/content/folder.ts");
  return snapshot(folderOf({ "a.txt": "text ".repeat(1000) }));
}

describe("snapshot()", () => {
  it("F8 compresses by zstd where the runtime does", async () => {
    const source = await snapshotWith({ zstdCompress: (_, __, done) => done(null, new Uint8Array([7])) });
    const stored = (await source.find(["a.txt"], "zstd")) as FoundFile;
    expect(stored).toMatchObject({ coding: "zstd", length: 1 });
  });

  it("F8 has the file as it is where the runtime has no zstd", async () => {
    const source = await snapshotWith({});
    expect(await source.find(["a.txt"], "zstd")).toBeUndefined();
    expect(await source.find(["a.txt"], null)).toBeDefined();
  });

  it("F8 has the file as it is where compressing fails", async () => {
    const source = await snapshotWith({ gzip: (_, __, done) => done(new Error("no memory")) });
    expect(await source.find(["a.txt"], "gzip")).toBeUndefined();
    expect(await source.find(["a.txt"], null)).toBeDefined();
  });
});
