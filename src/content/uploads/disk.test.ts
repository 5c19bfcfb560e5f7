import * as fs from "node:fs";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { disk } from "./disk.ts";
import type { IncomingFile } from "../../formats/multipart/sink.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-disk-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function fileOf(content: ReadableStream<Uint8Array>): IncomingFile {
  return { name: "a", fileName: "../../a.txt", type: "text/plain", content };
}

function streamOf(...texts: readonly (string | Error)[]): ReadableStream<Uint8Array> {
  const rest = [...texts];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const text = rest.shift();
      if (text === undefined) return controller.close();
      if (text instanceof Error) throw text;
      controller.enqueue(new TextEncoder().encode(text));
    },
  });
}

const never = new AbortController().signal;

describe("disk()", () => {
  it("stores a file under a name that nobody gave, whole or not at all", async () => {
    const folder = newFolder();
    const sink = disk(pathToFileURL(join(folder, "deep", "er")));
    const { file } = await sink.store(fileOf(streamOf("ab", "cd")), never);
    expect(readFileSync(file, "utf8")).toBe("abcd");
    expect(readdirSync(join(folder, "deep", "er"))).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(file).toMatch(/deep[/\\]er[/\\][\da-f-]{36}$/);
    await sink.discard({ file });
    expect(readdirSync(join(folder, "deep", "er"))).toEqual([]);
  });

  it("has a temporary name for it until it is complete", async () => {
    const folder = newFolder();
    let seen: string[] = [];
    const content = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          seen = readdirSync(folder);
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    await disk(folder).store(fileOf(content), never);
    expect(seen).toEqual([expect.stringMatching(/^\.[\da-f-]{36}(?:\.[\da-f-]{36}(?:\.\d+){3})?\.part$/)]);
  });

  it("leaves nothing when the content breaks off, or the upload has failed", async () => {
    const folder = newFolder();
    await expect(disk(folder).store(fileOf(streamOf("ab", new Error("left"))), never)).rejects.toThrow("left");
    await expect(disk(folder).store(fileOf(streamOf("ab")), AbortSignal.abort(new Error("failed")))).rejects.toThrow(
      "failed",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("tells that the folder is gone", async () => {
    const folder = newFolder();
    const sink = disk(join(folder, "a"));
    rmSync(join(folder, "a"), { recursive: true });
    await expect(sink.store(fileOf(streamOf("ab")), never)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("deletes temporary files of more than an hour ago, and nothing else", () => {
    const folder = newFolder();
    const id = "00000000-0000-4000-8000-000000000000";
    const names = [`.${id}.part`, `.${id.replace("8", "9")}.part`, id, ".hidden.part", `${id}.part`];
    for (const name of names) writeFileSync(join(folder, name), "");
    const long = Date.now() / 1000 - 3_601;
    for (const name of names.filter((_, at) => at !== 1)) utimesSync(join(folder, name), long, long);
    disk(folder);
    expect(readdirSync(folder).toSorted()).toEqual(names.slice(1).toSorted());
  });

  it.runIf(process.platform === "linux")("deletes at once what processes left that have ended", async () => {
    const folder = newFolder();
    let own = "";
    const content = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          own = readdirSync(folder)[0]!;
          // The file is under way, so another sink of this process leaves it.
          disk(folder);
          expect(readdirSync(folder)).toEqual([own]);
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    await disk(folder).store(fileOf(content), never);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const id = "00000000-0000-4000-8000-000000000000";
    const [boot, space, pid, began] = own.split(".").slice(2);
    const nameOf = (...parts: readonly unknown[]): string => `.${id}.${parts.join(".")}.part`;
    const ended = [nameOf(boot, space, 4_194_305, 1), nameOf(boot, space, pid, 1)];
    const others = [nameOf(id, space, 4_194_305, 1), nameOf(boot, 1, 4_194_305, 1), nameOf(boot, space, pid, began)];
    for (const name of [...ended, ...others]) writeFileSync(join(folder, name), "");
    disk(folder);
    expect(readdirSync(folder).toSorted()).toEqual(others.toSorted());
    // Nobody knows whether a process of another user has ended, and Deno asks its user.
    writeFileSync(join(folder, ended[0]!), "");
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
    });
    disk(folder);
    kill.mockRestore();
    vi.stubGlobal("Deno", {});
    disk(folder);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it("waits for an hour where the system does not name processes", () => {
    const folder = newFolder();
    const own = vi.spyOn(process, "getBuiltinModule").mockReturnValue({
      ...fs,
      readlinkSync() {
        throw new Error("ENOENT");
      },
    } as never);
    onTestFinished(() => own.mockRestore());
    const name = ".00000000-0000-4000-8000-000000000000.part";
    writeFileSync(join(folder, name), "");
    disk(folder);
    expect(readdirSync(folder)).toEqual([name]);
  });

  it("refuses what is not a path", () => {
    expect(() => disk(7 as unknown as string)).toThrow("Cannot store files in a folder: expected a path, got 7");
  });

  it("refuses a runtime without files", () => {
    vi.stubGlobal("process", {});
    expect(() => disk("a")).toThrow("Cannot store files in a folder: this runtime has no node:fs; use another sink");
  });
});
