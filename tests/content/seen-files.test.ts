// What a folder tells of files that were opened a moment ago, without opening them again.
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { Application } from "fingerpost/modules/http.native.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Files } from "../../src/content/files.ts";
import type { FileSource } from "../../src/content/file-source.ts";
import { folder, type FolderOptions } from "../../src/content/folder.ts";
import { folderOf, openBelow, put } from "./folders.ts";

/** How many files were opened, and how many paths were looked at by the thread of the program. */
const openings = vi.hoisted(() => ({ count: 0, looks: 0 }));

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<Record<"open" | "lstatSync", (...args: unknown[]) => unknown>>();
  const lstatSync = (...args: unknown[]): unknown => {
    openings.looks++;
    return original.lstatSync(...args);
  };
  const open = (...args: unknown[]): void => {
    openings.count++;
    original.open(...args);
  };
  return { ...original, open, lstatSync };
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Serves a folder, and returns a function that asks for a file, and one that asks again with the tag that came. */
function serving(root: string, options: FolderOptions = {}) {
  class Assets extends Files {
    paths = ["/:path*"] as const;
    source = folder(root, options);
  }
  const app = Application.builder().resources(Assets).build();
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    openings.count = openings.looks = 0;
    const response = await app.fetch(new Request(`http://h${path}`, { method, headers }));
    return {
      response,
      status: response.status,
      text: await response.text(),
      opened: openings.count,
      looks: openings.looks,
    };
  };
  const tagOf = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await ask(path, headers)).response.headers.get("etag")!;
  return { ask, tagOf };
}

describe("a file that was opened a moment ago", () => {
  it("F6 is not opened again for who has it", async () => {
    const root = folderOf({ "a.txt": "text" });
    const { ask, tagOf } = serving(root);
    const etag = await tagOf("/a.txt");
    const first = await ask("/a.txt", { "if-none-match": etag });
    expect([first.status, first.opened]).toEqual([304, 0]);
    // The fields of a 304 that had opened it.
    vi.advanceTimersByTime(1000);
    const second = await ask("/a.txt", { "if-none-match": etag });
    expect([second.status, second.opened]).toEqual([304, 1]);
    expect([...first.response.headers]).toEqual([...second.response.headers]);
    expect(first.response.headers.get("etag")).toBe(etag);

    const head = await ask("/a.txt", { "if-none-match": etag }, "HEAD");
    expect([head.status, head.opened]).toEqual([304, 0]);
    const date = (await ask("/a.txt")).response.headers.get("last-modified")!;
    const since = await ask("/a.txt", { "if-modified-since": date });
    expect([since.status, since.opened]).toEqual([304, 0]);
  });

  it("is opened for who has another state, or asks without a condition", async () => {
    const { ask, tagOf } = serving(folderOf({ "a.txt": "text" }));
    const etag = await tagOf("/a.txt");
    for (const fields of [{}, { "if-none-match": '"other"' }, { "if-match": etag }, { range: "bytes=0-3" }]) {
      const { text, opened } = await ask("/a.txt", fields);
      expect([text, opened], JSON.stringify(fields)).toEqual(["text", 1]);
    }
    const failed = await ask("/a.txt", { "if-match": '"other"', "if-none-match": etag });
    expect(failed.status).toBe(412);
    expect((await ask("/none.txt", { "if-none-match": etag })).status).toBe(404);
    expect((await ask("/", { "if-none-match": etag })).status).toBe(404);
  });

  it("is not looked at by the program's thread where it was not opened before", async () => {
    const { ask, tagOf } = serving(folderOf({ "a.txt": "text" }));
    const first = await ask("/a.txt", { "if-none-match": "*" });
    expect([first.status, first.opened, first.looks]).toEqual([304, 1, 0]);
    const second = await ask("/a.txt", { "if-none-match": await tagOf("/a.txt") });
    expect([second.status, second.opened, second.looks]).toEqual([304, 0, 1]);
  });

  it("F5 is another one once it was written, even with the same length and time", async () => {
    const root = folderOf({ "a.txt": "text", "b.txt": "text" });
    const path = join(root, "a.txt");
    const { ask, tagOf } = serving(root);
    const etag = await tagOf("/a.txt");
    const { mtime } = statSync(path);
    put(path, "else");
    utimesSync(path, mtime, mtime);
    for (const fields of [{ "if-none-match": etag }, { range: "bytes=1-", "if-range": etag }]) {
      const { status, text, opened } = await ask("/a.txt", fields);
      expect([status, text, opened]).toEqual([200, "else", 1]);
    }
    put(path, "longer text");
    const written = await ask("/a.txt", { "if-none-match": etag });
    expect([written.status, written.text]).toEqual([200, "longer text"]);
    await tagOf("/a.txt");
    unlinkSync(path);
    expect((await ask("/a.txt", { "if-none-match": "*" })).status).toBe(404);
  });

  it("F3 is opened again once its permissions or its names change", async () => {
    const root = folderOf({ "a.txt": "text" });
    const path = join(root, "a.txt");
    const { ask, tagOf } = serving(root);
    const etag = await tagOf("/a.txt");
    chmodSync(path, 0o600);
    expect((await ask("/a.txt", { "if-none-match": etag })).opened).toBe(1);
    linkSync(path, join(root, "b.txt"));
    expect((await ask("/a.txt", { "if-none-match": etag })).opened).toBe(1);
  });

  it("F2 is not told of behind a link that took its place, or the place of its folder", async () => {
    const root = folderOf({ "r/d/a.txt": "text", "r/b.txt": "text", "o/a.txt": "text" });
    const { ask, tagOf } = serving(join(root, "r"));
    const [etag, other] = [await tagOf("/d/a.txt"), await tagOf("/b.txt")];
    renameSync(join(root, "r/d"), join(root, "away"));
    symlinkSync("../o", join(root, "r/d"));
    copyFileSync(join(root, "r/b.txt"), join(root, "c.txt"));
    unlinkSync(join(root, "r/b.txt"));
    symlinkSync("../c.txt", join(root, "r/b.txt"));
    expect((await ask("/d/a.txt", { "if-none-match": etag })).status).toBe(404);
    expect((await ask("/d/a.txt", { "if-none-match": "*" })).status).toBe(404);
    expect((await ask("/b.txt", { "if-none-match": other })).status).toBe(404);
    unlinkSync(join(root, "r/b.txt"));
    mkdirSync(join(root, "r/b.txt"));
    expect((await ask("/b.txt", { "if-none-match": "*" })).status).toBe(404);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F2 is told of for a second at most behind a link to its own folder", async () => {
    const root = folderOf({ "r/d/a.txt": "text" });
    const { ask, tagOf } = serving(join(root, "r"));
    const etag = await tagOf("/d/a.txt");
    renameSync(join(root, "r/d"), join(root, "away"));
    symlinkSync("../away", join(root, "r/d"));
    expect((await ask("/d/a.txt", { "if-none-match": etag })).status).toBe(304);
    expect((await ask("/d/a.txt")).status).toBe(404);
    vi.advanceTimersByTime(1000);
    expect((await ask("/d/a.txt", { "if-none-match": etag })).status).toBe(404);
  });

  it("F8 is told of in the coding that would be sent", async () => {
    const root = folderOf({ "a.js": "script", "a.js.br": "br" });
    const { ask, tagOf } = serving(root, { codings: ["br", "gzip"] });
    const br = { "accept-encoding": "br, gzip" };
    const tags = { coded: await tagOf("/a.js", br), whole: await tagOf("/a.js") };
    expect(tags.coded).not.toBe(tags.whole);
    const coded = await ask("/a.js", { ...br, "if-none-match": tags.coded });
    expect([coded.status, coded.opened, coded.response.headers.get("vary")]).toEqual([304, 0, "Accept-Encoding"]);
    expect((await ask("/a.js", { ...br, "if-none-match": tags.whole })).text).toBe("br");
    const plain = await ask("/a.js", { "accept-encoding": "gzip", "if-none-match": tags.whole });
    expect([plain.status, plain.opened]).toEqual([304, 0]);

    // By its own name the sibling is a file as any.
    const own = await tagOf("/a.js.br");
    expect((await ask("/a.js.br", { "if-none-match": own })).status).toBe(304);
    expect((await ask("/a.js", { ...br, "if-none-match": tags.coded })).status).toBe(304);
    expect((await ask("/a.js.br", { "if-none-match": tags.coded })).text).toBe("br");

    put(join(root, "a.js"), "newer script", 10);
    await ask("/a.js", br);
    const unused = await ask("/a.js", { ...br, "if-none-match": tags.coded });
    expect([unused.status, unused.text]).toEqual([200, "newer script"]);
  });

  it("F8 is told of as it is where there is no coding of it", async () => {
    const root = folderOf({ "a.png": "image", "a.txt": "text", ".env": "SECRET" });
    const { ask, tagOf } = serving(root);
    for (const path of ["/a.png", "/a.txt"]) {
      const fields = { "accept-encoding": "br, zstd, gzip", "if-none-match": await tagOf(path) };
      const { status, opened } = await ask(path, fields);
      expect([status, opened], path).toEqual([304, 0]);
    }
    expect((await ask("/.env", { "if-none-match": "*" })).status).toBe(404);
  });

  it.each([
    ["its find() is replaced", (source: FileSource, find: FileSource["find"]) => Object.assign(source, { find })],
    [
      "it is behind a Proxy",
      (source: FileSource, find: FileSource["find"]) =>
        new Proxy(source, { get: (from, name) => (name === "find" ? find : Reflect.get(from, name)) as unknown }),
    ],
    [
      "it is inherited from",
      (source: FileSource, find: FileSource["find"]) =>
        Object.create(source, { find: { value: find }, codings: { value: source.codings } }) as FileSource,
    ],
  ])("is told of by nobody but find() where %s, which may refuse it", async (_, guarded) => {
    const source = folder(folderOf({ "a.txt": "text" }));
    const find = source.find.bind(source);
    let isAllowed = true;
    class Guarded extends Files {
      paths = ["/:path*"] as const;
      source = guarded(source, (...asked) => (isAllowed ? find(...asked) : undefined));
    }
    const app = Application.builder().resources(Guarded).build();
    const ask = async (): Promise<number> =>
      (await app.fetch(new Request("http://h/a.txt", { headers: { "if-none-match": "*" } }))).status;
    expect([await ask(), await ask()]).toEqual([304, 304]);
    isAllowed = false;
    expect(await ask()).toBe(404);
  });

  it("F5 is opened each time while it is young", async () => {
    const root = folderOf({});
    put(join(root, "a.txt"), "text", 0);
    const { ask, tagOf } = serving(root);
    const etag = await tagOf("/a.txt");
    expect(etag).toMatch(/^W\//);
    const again = await ask("/a.txt", { "if-none-match": etag });
    expect([again.status, again.opened]).toEqual([304, 1]);
  });

  it("F2 is opened each time where links are followed", async () => {
    const root = folderOf({ "a.txt": "text" });
    const { ask, tagOf } = serving(root, { links: "inside" });
    const again = await ask("/a.txt", { "if-none-match": await tagOf("/a.txt") });
    expect([again.status, again.opened]).toEqual([304, 1]);
  });

  it("is forgotten after a thousand others", async () => {
    const names = Array.from({ length: 1001 }, (_, at) => `${at}.txt`);
    const { ask, tagOf } = serving(folderOf(Object.fromEntries(names.map((name) => [name, name]))));
    const tags = new Map<string, string>();
    const openedFor = async (name: string): Promise<number> =>
      (await ask(`/${name}`, { "if-none-match": tags.get(name)! })).opened;
    for (const name of names.slice(0, 1000)) tags.set(name, await tagOf(`/${name}`));
    expect(await openedFor("0.txt")).toBe(0);
    // Whoever is opened again is the youngest.
    await ask("/0.txt");
    tags.set("1000.txt", await tagOf("/1000.txt"));
    const counts = [];
    for (const name of ["0.txt", "2.txt", "1000.txt", "1.txt"]) counts.push(await openedFor(name));
    expect(counts).toEqual([0, 0, 0, 1]);
  });
});
