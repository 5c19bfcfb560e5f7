import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { age, contentOf, folderOf, openBelow, put } from "../../tests/content/folders.ts";
import type { FileSource, FoundFile } from "./file-source.ts";
import { folder, snapshot, type FolderOptions } from "./folder.ts";
import { SystemFileState } from "./folder/system-file-state.ts";

const long = "text ".repeat(1000);

async function found(
  source: FileSource,
  path: string,
  coding: "br" | "zstd" | "gzip" | null = null,
): Promise<string | null> {
  const stored = await source.find(path.split("/"), coding);
  return stored === undefined ? null : contentOf(stored);
}

async function opened(
  source: FileSource,
  path: string,
  coding: "br" | "zstd" | "gzip" | null = null,
): Promise<FoundFile> {
  return (await source.find(path.split("/"), coding))!;
}

describe.each([
  ["folder", folder],
  ["snapshot", snapshot],
] as const)("%s()", (name, sourceOf: (root: string | URL, options?: FolderOptions) => FileSource) => {
  it("finds files, with what is known of them", async () => {
    const root = folderOf({ "index.html": "<p>", "a/b/c.txt": "text", "empty.css": "" });
    for (const given of [root, pathToFileURL(root), `${root}/`, join(root, "a", "..")]) {
      const source = sourceOf(given);
      expect(await found(source, "index.html")).toBe("<p>");
      expect(await found(source, "a/b/c.txt")).toBe("text");
      expect(await found(source, "empty.css")).toBe("");
    }
    const stored = await opened(sourceOf(root), "a/b/c.txt");
    expect(stored).toMatchObject({ length: 4, type: "text/plain; charset=utf-8", coding: null });
    expect(Math.abs(Date.now() - stored.lastModified!.getTime() - 60_000)).toBeLessThan(10_000);
    expect(await contentOf(stored, 1, 3)).toBe("ex");
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("has nothing for what is not a file, or not there", async () => {
    const root = folderOf({ "a/b.txt": "text" });
    const source = sourceOf(root);
    for (const path of ["", "b.txt", "a", "a/c.txt", "a/b.txt/c", "A/b.txt", "x".repeat(300), `${"x/".repeat(3000)}x`])
      expect(await found(source, path), path).toBeNull();
    expect(await source.find([], null)).toBeUndefined();
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F1 joins no segment to a path that is not the name of a file", async () => {
    const root = folderOf({ "a/b.txt": "text", "c.txt": "text" });
    const source = sourceOf(join(root, "a"));
    for (const segments of [
      ["..", "c.txt"],
      ["../c.txt"],
      ["", "b.txt"],
      [".", "b.txt"],
      ["b.txt", ""],
      ["b.txt\0"],
      ["x/../b.txt"],
      ["b.txt."],
    ])
      // oxfmt-ignore
      expect(await source.find(segments, null), String(segments)).toBeUndefined();
    expect(await sourceOf(root).find(["a/b.txt"], null)).toBeUndefined();
  });

  it("F2 has no links, unless those inside are followed", async () => {
    const outside = folderOf({ "secret.txt": "secret", "d/secret.txt": "secret" });
    const root = folderOf({ "a.txt": "text", "d/b.txt": "text", ".env": "secret", ".git/config": "secret" });
    const links = { "l.txt": "a.txt", m: "d", "d/up.txt": "../a.txt", "abs.txt": join(root, "a.txt"), chain: "l.txt" };
    const wrong = {
      "o.txt": join(outside, "secret.txt"),
      o: outside,
      "p.txt": `../${outside.split("/").at(-1)}/secret.txt`,
      self: "self",
      none: "none.txt",
      root: "/",
      env: ".env",
      git: ".git",
      loop: ".",
      zero: "/dev/zero",
      passwd: "/etc/passwd",
    };
    for (const [path, target] of Object.entries({ ...links, ...wrong })) symlinkSync(target, join(root, path));
    const all = ["l.txt", "m/b.txt", "d/up.txt", "abs.txt", "chain"];
    const none = [
      ..."o.txt o/secret.txt o/d/secret.txt p.txt self none root root/etc/passwd env git git/config zero passwd".split(
        " ",
      ),
    ];
    for (const path of [...all, ...none]) expect(await found(sourceOf(root), path), path).toBeNull();
    const following = sourceOf(root, { links: "inside" });
    for (const path of all) expect(await found(following, path), path).toBe("text");
    for (const path of none) expect(await found(following, path), path).toBeNull();
    await expect.poll(() => openBelow("/dev/zero")).toEqual([]);
    await expect.poll(() => [...openBelow(root), ...openBelow(outside)]).toEqual([]);
  });

  it("F2 serves a folder that a link leads to", async () => {
    const root = folderOf({ "release/a.txt": "text", "next/a.txt": "next" });
    symlinkSync("release", join(root, "current"));
    const source = sourceOf(join(root, "current"));
    expect(await found(source, "a.txt")).toBe("text");
    // One release at a time: pages of one never come with scripts of the next.
    symlinkSync("next", join(root, "switched"));
    renameSync(join(root, "switched"), join(root, "current"));
    expect(await found(source, "a.txt")).toBe("text");
    expect(await found(sourceOf(join(root, "current")), "a.txt")).toBe("next");
  });

  it("F3 waits for no FIFO, and reads no socket or device", async () => {
    const root = folderOf({ "a.txt": "text" });
    execFileSync("mkfifo", [join(root, "fifo")]);
    try {
      execFileSync("mknod", [join(root, "zero"), "c", "1", "5"], { stdio: "ignore" });
    } catch {
      // Only a system that lets this user make a device can have one here.
    }
    const { createServer } = await import("node:net");
    const server = createServer().listen(join(root, "socket"));
    await new Promise((resolve) => server.on("listening", resolve));
    const source = sourceOf(root);
    for (const path of ["fifo", "zero", "socket"]) expect(await found(source, path), path).toBeNull();
    await new Promise((resolve) => server.close(resolve));
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F4 has no dot files, unless they are named", async () => {
    const files = {
      ".env": "1",
      ".git/config": "2",
      ".well-known/a.txt": "3",
      "a/.b/c.txt": "4",
      ".well-known/.x": "5",
    };
    const source = sourceOf(folderOf(files));
    for (const path of Object.keys(files)) expect(await found(source, path), path).toBeNull();
    const naming = sourceOf(folderOf(files), { dotFiles: [".well-known", ".b"] });
    const served = await Promise.all(Object.keys(files).map((path) => found(naming, path)));
    expect(served).toEqual([null, null, "3", "4", null]);
  });

  it("F8 has what stands beside a file in a coding, unless that is older", async () => {
    const root = folderOf({ "a.js": long, "a.js.br": "br", "a.js.zst": "zst", "a.js.gz": "gz", "b.js.br": "alone" });
    put(join(root, "c.js"), "new", 10);
    put(join(root, "c.js.br"), "old", 20);
    mkdirSync(join(root, "d.js"));
    put(join(root, "d.js.br"), "of a folder");
    put(join(root, "e.js"), long);
    mkdirSync(join(root, "e.js.br"));
    const source = sourceOf(root);
    expect(source.codings).toEqual(["br", "zstd", "gzip"]);
    expect(await found(source, "a.js", "br")).toBe("br");
    expect(await found(source, "a.js", "zstd")).toBe("zst");
    expect(await found(source, "a.js", "gzip")).toBe("gz");
    expect(await found(source, "a.js")).toBe(long);
    expect(await found(source, "b.js", "br")).toBeNull();
    expect(await found(source, "c.js", "br")).toBeNull();
    expect(await found(source, "d.js", "br")).toBeNull();
    expect(name === "folder" ? await found(source, "e.js", "br") : null, "a folder beside it").toBeNull();
    const stored = await opened(source, "a.js", "br");
    expect(stored).toMatchObject({ type: "text/javascript; charset=utf-8", coding: "br", length: 2 });
    const plain = await opened(source, "a.js");
    expect(stored.etag).not.toBe(plain.etag);
    await Promise.all([stored.close(), plain.close()]);
    await expect.poll(() => openBelow(root)).toEqual([]);
    expect(await found(source, "a.js.br"), "it is a file itself, too").toBe("br");
    expect(await found(sourceOf(root, { codings: ["gzip"] }), "a.js", "br")).toBeNull();
  });

  it("F8 looks for no coding of what is compressed already", async () => {
    const source = sourceOf(folderOf({ "a.png": long, "a.png.br": "br", "a.bin": "bin", "a.bin.br": "br" }));
    expect(await found(source, "a.png", "br")).toBeNull();
    expect(await found(source, "a.bin", "br")).toBe("br");
  });

  it("F8 takes links beside a file for siblings only where it follows them", async () => {
    const outside = folderOf({ "a.js": "secret", "b.js.br": "secret" });
    const root = folderOf({ "x.js": "text", "x.br": "br", "a.js.br": "br" });
    symlinkSync("x.br", join(root, "x.js.br"));
    symlinkSync(join(outside, "a.js"), join(root, "a.js"));
    put(join(root, "b.js"), "text");
    symlinkSync(join(outside, "b.js.br"), join(root, "b.js.br"));
    expect(await found(sourceOf(root), "x.js", "br")).toBeNull();
    const following = sourceOf(root, { links: "inside" });
    expect(await found(following, "x.js", "br")).toBe("br");
    expect(await found(following, "a.js", "br")).toBeNull();
    expect(await found(following, "b.js", "br")).toBeNull();
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("refuses anything but a folder, and wrong options", () => {
    const root = folderOf({ "a.txt": "text" });
    const given: unknown[] = [join(root, "none"), join(root, "a.txt"), "", undefined, 7, new URL("http://h/")];
    for (const one of given) {
      expect(() => sourceOf(one as string)).toThrow(TypeError);
      expect(() => sourceOf(one as string)).toThrow(/^Cannot serve ".*": it is not a folder that can be read$/);
    }
    for (const options of [
      { links: "all" },
      { dotFiles: ["env"] },
      { dotFiles: [".a/b"] },
      { codings: ["deflate"] },
      { link: "inside" },
    ])
      expect(() => sourceOf(root, options as FolderOptions)).toThrow(new RegExp(`^Cannot call ${name}\\(\\): `));
  });
});

describe("folder()", () => {
  it("serves a file as it is when it is asked for", async () => {
    const root = folderOf({ "a.txt": "one" });
    const source = folder(root);
    put(join(root, "a.txt"), "two and", 50);
    put(join(root, "b.txt"), "three");
    expect(await found(source, "a.txt")).toBe("two and");
    expect(await found(source, "b.txt")).toBe("three");
    unlinkSync(join(root, "b.txt"));
    expect(await found(source, "b.txt")).toBeNull();
  });

  it("serves all of the system, if it must", async () => {
    const root = folderOf({ "a.txt": "text" });
    expect(await found(folder("/"), join(root, "a.txt").slice(1))).toBe("text");
    expect(await found(folder("/", { links: "inside" }), join(root, "a.txt").slice(1))).toBe("text");
  });

  it("F5 makes a strong tag of one state in one coding", async () => {
    const root = folderOf({ "a.js": "one", "a.js.gz": "one" });
    const source = folder(root);
    const tag = async (coding: "gzip" | null = null): Promise<string> => {
      const stored = await opened(source, "a.js", coding);
      await stored.close();
      return stored.etag!;
    };
    const first = await tag();
    expect(first).toMatch(/^"[\w-]{22}"$/);
    expect(await tag()).toBe(first);
    expect(await tag("gzip")).toMatch(/^"[\w-]{22}"$/);
    expect(await tag("gzip")).not.toBe(first);
    age(join(root, "a.js"), 59);
    expect(await tag()).not.toBe(first);
  });

  it("F5 tells apart builds that set one length and one time", async () => {
    const root = folderOf({ "a.js": "one", "next.js": "two" });
    const path = join(root, "a.js");
    const time = new Date("1980-01-01");
    utimesSync(path, time, time);
    utimesSync(join(root, "next.js"), time, time);
    const source = folder(root);
    const seen = async (): Promise<FoundFile> => {
      const stored = await opened(source, "a.js");
      await stored.close();
      return stored;
    };
    const tags = [(await seen()).etag];
    renameSync(join(root, "next.js"), path);
    tags.push((await seen()).etag);
    writeFileSync(path, "six");
    utimesSync(path, time, time);
    const last = await seen();
    tags.push(last.etag);
    expect(new Set(tags).size).toBe(3);
    expect(tags.every((tag) => tag!.startsWith('"'))).toBe(true);
    // The time that was set would tell a client that nothing changed since.
    const written = Math.floor(statSync(path).ctimeMs);
    expect(last.lastModified!.getTime()).toBe(written);
    expect((await opened(snapshot(root), "a.js")).lastModified!.getTime()).toBe(written);
  });

  it("F5 promises nothing where a file system keeps whole seconds", () => {
    const stats = { dev: 1n, ino: 2n, size: 3n, mtimeNs: 1_000_000_000n, ctimeNs: 1_000_000_000n };
    const { etag, lastModified, isYoung } = new SystemFileState(stats, "a.txt", null);
    expect([etag.slice(0, 3), lastModified, isYoung]).toEqual(['W/"', null, false]);
  });

  it("F5 makes a weak tag while the file is younger than two seconds", async () => {
    const root = folderOf({});
    for (const [seconds, isWeak] of [
      [0, true],
      [1, true],
      [3, false],
      [-10, true],
    ] as const) {
      // oxfmt-ignore
      put(join(root, "a.txt"), "text", seconds);
      const stored = await opened(folder(root), "a.txt");
      expect(stored.etag!.startsWith("W/"), String(seconds)).toBe(isWeak);
      await stored.close();
    }
  });

  it("F11 breaks off a file that grows, shrinks, is written or truncated while it is read", async () => {
    const changes: ((path: string) => void)[] = [
      (path) => appendFileSync(path, "x"),
      (path) => truncateSync(path, 300_000),
      (path) => truncateSync(path, 0),
      (path) => writeFileSync(path, "y".repeat(1_000_000)),
      (path) => age(path, 30),
    ];
    for (const change of changes) {
      const root = folderOf({ "a.bin": "x".repeat(1_000_000) });
      const stored = await opened(folder(root), "a.bin");
      const parts = (stored.read(0, stored.length) as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      expect((await parts.next()).value!.byteLength).toBeGreaterThan(10_000);
      change(join(root, "a.bin"));
      await expect(parts.next()).rejects.toThrow(new Error("Cannot send the file: it changed while it was sent"));
      await stored.close();
      await expect.poll(() => openBelow(root)).toEqual([]);
    }
  });

  it("F11 goes on with a file that another took the place of", async () => {
    const root = folderOf({ "a.txt": "x".repeat(600_000), "b.txt": "new" });
    const stored = await opened(folder(root), "a.txt");
    linkSync(join(root, "a.txt"), join(root, "c.txt"));
    renameSync(join(root, "b.txt"), join(root, "a.txt"));
    expect(await contentOf(stored)).toBe("x".repeat(600_000));
    expect(await found(folder(root), "a.txt")).toBe("new");
  });

  it("F12 closes a file once, when nothing reads it any more", async () => {
    const root = folderOf({ "a.txt": "x".repeat(1_000_000) });
    const stored = await opened(folder(root), "a.txt");
    const parts = (stored.read(0, stored.length) as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    const [pending, other] = [
      parts.next(),
      (stored.read(5, 9) as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next(),
    ];
    await stored.close();
    await stored.close();
    expect((await pending).value!.byteLength).toBeGreaterThan(0);
    expect((await other).value).toHaveLength(4);
    await expect(parts.next()).rejects.toThrow("Cannot send the file: it changed while it was sent");
    await expect.poll(() => openBelow(root)).toEqual([]);
  });
});

describe("snapshot()", () => {
  it("keeps the files as they were", async () => {
    const root = folderOf({ "a.txt": "one" });
    const source = snapshot(root);
    put(join(root, "a.txt"), "two");
    put(join(root, "b.txt"), "three");
    expect(await found(source, "a.txt")).toBe("one");
    expect(await found(source, "b.txt")).toBeNull();
  });

  it("finds at once", () => {
    const source = snapshot(folderOf({ "a.txt": "one" }));
    expect(source.find(["a.txt"], null)).toMatchObject({ length: 3 });
    expect(source.find(["b.txt"], null)).toBeUndefined();
    expect(source.find(["a.txt"], "br")).toBeUndefined();
  });

  it("F5 makes its tags by SHA-256 of the bytes", async () => {
    const source = snapshot(folderOf({ "a.txt": "one", "b.txt": "one", "a.txt.gz": "two" }));
    const digest = createHash("sha256").update("one").digest("base64url");
    expect((await opened(source, "a.txt")).etag).toBe(`"${digest}"`);
    expect((await opened(source, "b.txt")).etag).toBe(`"${digest}"`);
    expect((await opened(source, "a.txt", "gzip")).etag).not.toBe(`"${digest}"`);
  });

  it("F8 compresses what gets shorter by it, once, when it is first asked for", async () => {
    const files = { "a.js": long, "short.js": "1", "a.png": long, "noise.txt": noise(5000), "a.svg": long };
    const source = snapshot(folderOf(files));
    const [first, second] = [source.find(["a.js"], "br"), source.find(["a.js"], "br")];
    expect(first).toBeInstanceOf(Promise);
    expect(second).toBe(first);
    const stored = (await first)!;
    expect(source.find(["a.js"], "br")).toBe(stored);
    expect(stored).toMatchObject({ coding: "br", type: "text/javascript; charset=utf-8" });
    expect(brotliDecompressSync(stored.read(0, stored.length) as Uint8Array).toString()).toBe(long);
    const zipped = await opened(source, "a.svg", "gzip");
    expect(gunzipSync(zipped.read(0, zipped.length) as Uint8Array).toString()).toBe(long);
    for (const path of ["short.js", "a.png"]) expect(source.find([path], "br"), path).toBeUndefined();
    expect(await source.find(["noise.txt"], "gzip")).toBeUndefined();
    expect(source.find(["noise.txt"], "gzip")).toBeUndefined();
  });

  it("refuses more bytes than allowed", async () => {
    const root = folderOf({ "a.txt": "one", "b/c.txt": "two" });
    expect(() => snapshot(root, { maxBytes: 5 })).toThrow(
      new TypeError(
        `Cannot take a snapshot of ${JSON.stringify(root)}: its files have more than 5 bytes; use folder()`,
      ),
    );
    expect(snapshot(root, { maxBytes: 6 }).find(["a.txt"], null)).toBeDefined();
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("walks no circle of links", async () => {
    const root = folderOf({ "a/b.txt": "text" });
    symlinkSync("..", join(root, "a", "up"));
    symlinkSync("a", join(root, "c"));
    const source = snapshot(root, { links: "inside" });
    expect(await found(source, "c/b.txt")).toBe("text");
    expect(await found(source, "a/up/a/b.txt")).toBeNull();
  });
});

function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) >>> 8);
}
