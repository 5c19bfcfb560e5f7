import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Application, HTTPError } from "fingerpost/modules/http.native.js";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fileResponse } from "../../src/content/file-response.ts";
import type { FoundFile } from "../../src/content/file-source.ts";
import { Files } from "../../src/content/files.ts";
import { folder, snapshot } from "../../src/content/folder.ts";
import { contentOf, folderOf, openBelow, put } from "./folders.ts";
import { asking } from "./stored-bytes.ts";

type Callback = (error: Error | null, ...results: unknown[]) => void;

/** What happens before a call to the system, by its name; an error that is returned is that of the call. */
const before = vi.hoisted(() => new Map<string, (...args: unknown[]) => Error | void>());
/** How many bytes the system reads at once, at most. */
const read = vi.hoisted(() => ({ most: Infinity }));

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<Record<string, unknown>>();
  const watched = (name: string): unknown => {
    const call = original[name] as (...args: unknown[]) => unknown;
    const watching = (...args: unknown[]): unknown => {
      const error = before.get(name)?.(...args);
      if (error === undefined) return call(...args);
      if (name.endsWith("Sync")) throw error;
      return (args.at(-1) as Callback)(error);
    };
    return Object.defineProperties(watching, Object.getOwnPropertyDescriptors(call));
  };
  const names = ["open", "fstatSync", "lstatSync", "openSync", "readlinkSync"];
  // What promisify() goes by would lead around what is watched.
  const reading = Object.defineProperty(watched("read") as object, (await import("node:util")).promisify.custom, {
    value: (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const call = original["read"] as (...all: unknown[]) => void;
        const error = before.get("read")?.(...args);
        if (error !== undefined) return reject(error);
        args[3] = Math.min(args[3] as number, read.most);
        call(...args, (fault: Error | null, bytesRead: number) =>
          fault === null ? resolve({ bytesRead }) : reject(fault),
        );
      }),
  });
  return { ...original, ...Object.fromEntries(names.map((name) => [name, watched(name)])), read: reading };
});

const fault = (code: string): Error => Object.assign(new Error(code), { code });

beforeEach(() => {
  before.clear();
  read.most = Infinity;
});

function application(root: string) {
  const faults: unknown[] = [];
  class Assets extends Files {
    paths = ["/:path*"] as const;
    source = folder(root);
  }
  const app = Application.builder()
    .resources(Assets)
    .onError((error) => void (error instanceof HTTPError || faults.push(error)))
    .build();
  return {
    faults,
    ask: (path: string, headers = {}): Promise<Response> => app.fetch(new Request(`http://h${path}`, { headers })),
  };
}

describe("what the system says of a file", () => {
  it("F3 is 404 where the file cannot be had", async () => {
    const root = folderOf({ "a.txt": "text" });
    const { ask, faults } = application(root);
    for (const code of "ENOENT ENOTDIR EACCES EPERM ELOOP ENAMETOOLONG EISDIR ENXIO ENODEV EOPNOTSUPP EILSEQ".split(
      " ",
    )) {
      before.set("open", () => fault(code));
      expect((await ask("/a.txt")).status, code).toBe(404);
    }
    expect(faults).toEqual([]);
  });

  it("F3 is 500 where the server is at fault, and is reported", async () => {
    const root = folderOf({ "a.txt": "text", "a.txt.br": "br" });
    for (const [name, code] of [
      ["open", "EMFILE"],
      ["open", "ENFILE"],
      ["open", "EIO"],
      ["open", "ENOMEM"],
      ["fstatSync", "EIO"],
      ["readlinkSync", "EIO"],
    ] as const) {
      // oxfmt-ignore
      const { ask, faults } = application(root);
      before.set(name, () => fault(code));
      const response = await ask("/a.txt", { "accept-encoding": "br" });
      expect([response.status, faults], code).toEqual([500, [fault(code)]]);
      expect(await response.text()).not.toContain(root);
      before.clear();
      await expect.poll(() => openBelow(root)).toEqual([]);
    }
  });

  it("F12 closes a sibling when its file cannot be asked", async () => {
    const root = folderOf({ "a.txt": "text", "a.txt.br": "br" });
    const source = folder(root);
    // The first is whether there is one.
    let calls = 0;
    before.set("lstatSync", () => (calls++ === 0 ? undefined : fault("EIO")));
    await expect(source.find(["a.txt"], "br")).rejects.toThrow("EIO");
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F3 has no coding where what is beside the file cannot be had", async () => {
    const source = folder(folderOf({ "a.txt": "text", "a.txt.br": "br" }));
    before.set("lstatSync", () => fault("EACCES"));
    expect(await source.find(["a.txt"], "br")).toBeUndefined();
    before.set("lstatSync", () => new Error("without a code"));
    await expect(source.find(["a.txt"], "br")).rejects.toThrow("without a code");
  });

  it("F3 leaves out of a snapshot what is no file any more when it is opened", () => {
    const root = folderOf({ "a.txt": "text", "b.txt": "text" });
    before.set("openSync", (path) => {
      if (!String(path).endsWith("a.txt")) return;
      rmSync(String(path));
      mkdirSync(String(path));
    });
    const source = snapshot(root);
    expect(source.find(["a.txt"], null)).toBeUndefined();
    expect(source.find(["b.txt"], null)).toBeDefined();
    expect(openBelow(root)).toEqual([]);
  });

  it("F11 goes on where the system reads less than it was asked for", async () => {
    const root = folderOf({ "a.txt": "0123456789" });
    read.most = 4;
    const response = await application(root).ask("/a.txt");
    expect(await response.text()).toBe("0123456789");
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F12 breaks off and closes a file that cannot be read", async () => {
    const root = folderOf({ "a.bin": "x".repeat(1_000_000) });
    const { ask } = application(root);
    let reads = 0;
    before.set("read", () => (reads++ === 2 ? fault("EIO") : undefined));
    const response = await ask("/a.bin");
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow("EIO");
    expect(reads).toBe(3);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F11 answers 500 in place of a short file that ends early, or cannot be read", async () => {
    const root = folderOf({ "a.txt": "text" });
    const { ask, faults } = application(root);
    before.set("read", () => fault("EIO"));
    expect((await ask("/a.txt")).status).toBe(500);
    before.set("read", () => writeFileSync(join(root, "a.txt"), ""));
    expect((await ask("/a.txt")).status).toBe(500);
    expect(faults).toEqual([fault("EIO"), new Error("Cannot send the file: it changed while it was sent")]);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F11 breaks off a file that ends early", async () => {
    const root = folderOf({ "a.bin": "x".repeat(100_000) });
    const response = await application(root).ask("/a.bin");
    writeFileSync(join(root, "a.bin"), "");
    await expect(response.arrayBuffer()).rejects.toThrow("Cannot send the file: it changed while it was sent");
    await expect.poll(() => openBelow(root)).toEqual([]);
  });
});

describe.each([
  ["tells the path of a descriptor", true],
  ["does not", false],
])("where the system %s", (_, hasPaths) => {
  beforeEach(() => {
    if (!hasPaths)
      before.set("readlinkSync", (path) => (String(path).startsWith("/proc/self/fd/") ? fault("EACCES") : undefined));
  });

  const foundIn = async (root: string, path: string, options = {}): Promise<string | null> => {
    const source = folder(root, options);
    before.delete("readlinkSync");
    const stored = await source.find(path.split("/"), null);
    return stored === undefined ? null : contentOf(stored);
  };

  it("F2 finds files, and no links", async () => {
    const root = folderOf({ "r/a.txt": "text", "r/d/b.txt": "text", "o/b.txt": "SECRET" });
    symlinkSync("../o", join(root, "r/l"));
    symlinkSync("../o/b.txt", join(root, "r/l.txt"));
    symlinkSync("d", join(root, "r/m"));
    const found = [];
    for (const path of ["a.txt", "d/b.txt", "l/b.txt", "l.txt", "m/b.txt"]) {
      if (!hasPaths) before.set("readlinkSync", () => fault("EACCES"));
      found.push(await foundIn(join(root, "r"), path));
    }
    expect(found).toEqual(["text", "text", null, null, null]);
    if (!hasPaths) before.set("readlinkSync", () => fault("EACCES"));
    expect(await foundIn(join(root, "r"), "m/b.txt", { links: "inside" })).toBe("text");
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F2 gives nothing of a file that becomes a link before it is opened", async () => {
    const root = folderOf({ "r/a.txt": "text", secret: "SECRET" });
    before.set("open", () => {
      rmSync(join(root, "r/a.txt"), { force: true });
      symlinkSync("../secret", join(root, "r/a.txt"));
    });
    expect(await foundIn(join(root, "r"), "a.txt")).toBeNull();
  });

  it("F2 gives nothing of a folder that becomes a link before the file is opened, or afterwards again", async () => {
    const root = folderOf({ "r/d/a.txt": "text", "o/a.txt": "SECRET" });
    const at = (path: string): string => join(root, path);
    let isLink = false;
    const swap = (): void => {
      if (isLink) return;
      renameSync(at("r/d"), at("r/kept"));
      symlinkSync("../o", at("r/d"));
      isLink = true;
    };
    const swapBack = (): void => {
      if (!isLink) return;
      unlinkSync(at("r/d"));
      renameSync(at("r/kept"), at("r/d"));
      isLink = false;
    };
    before.set("open", swap);
    expect(await foundIn(at("r"), "d/a.txt")).toBeNull();
    swapBack();
    before.set("fstatSync", swapBack);
    // Once it is a folder again, the descriptor is still that of the other file.
    expect(await foundIn(at("r"), "d/a.txt")).toBeNull();
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F2 opens once more what another file took the place of, and no more often", async () => {
    const root = folderOf({ "a.txt": "old" });
    let opened = 0;
    let replacements = 1;
    before.set("open", () => void opened++);
    before.set("fstatSync", () => {
      if (replacements-- <= 0) return;
      put(join(root, "b.txt"), "new");
      renameSync(join(root, "b.txt"), join(root, "a.txt"));
    });
    expect(await foundIn(root, "a.txt")).toBe("new");
    expect(opened).toBe(2);
    replacements = 9;
    opened = 0;
    if (!hasPaths) before.set("readlinkSync", () => fault("EACCES"));
    expect(await foundIn(root, "a.txt")).toBeNull();
    expect(opened).toBe(2);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });
});

describe("descriptors", () => {
  it("F12 are none left after 500 responses that ended in every way", async () => {
    const root = folderOf({ "a.bin": "x".repeat(1_000_000), "b.txt": "text", "d/index.html": "d" });
    const { ask } = application(root);
    const etag = (await ask("/b.txt")).headers.get("etag")!;
    const ways: ((path: string) => Promise<unknown>)[] = [
      async (path) => (await ask(path)).arrayBuffer(),
      async (path) => (await ask(path)).body?.cancel(),
      async (path) => {
        const reader = (await ask(path)).body!.getReader();
        await reader.read();
        await reader.cancel();
      },
      async (path) => {
        const reader = (await ask(path)).body!.getReader();
        void reader.read().catch(() => {});
        await reader.cancel();
      },
      async (path) => ask(path, { range: "bytes=9999999-" }),
      async (path) => ask(path, { "if-match": '"other"' }),
      async (path) => (await ask(path, { "if-none-match": etag })).body?.cancel(),
      async (path) => (await ask(path, { range: "bytes=0-1,3-4" })).body?.cancel(),
      async (path) => (await ask(path, { range: "bytes=0-1,3-4" })).text(),
      async () => ask("/d"),
    ];
    for (let turn = 0; turn < 25; turn++) {
      await Promise.all(ways.flatMap((way) => ["/a.bin", "/b.txt"].map(way)));
    }
    await (await ask("/b.txt")).text();
    await expect.poll(() => openBelow(root).length).toBeLessThanOrEqual(1);
  });

  it("F12 are closed of responses that nobody ever read", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const root = folderOf({ "a.txt": "x".repeat(100_000) });
    const source = folder(root);
    const forget = async (): Promise<number> => {
      const responses: Response[] = [];
      for (let turn = 0; turn < 20; turn++) {
        const stored = (await source.find(["a.txt"], null)) as FoundFile;
        responses.push(fileResponse(asking(), stored));
      }
      return responses.length;
    };
    expect(await forget()).toBe(20);
    await expect
      .poll(
        () => {
          collect();
          return openBelow(root).length;
        },
        { timeout: 10_000 },
      )
      .toBe(0);
  });
});
