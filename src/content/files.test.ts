import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, openBelow } from "../../tests/content/folders.ts";
import { StoredBytes } from "../../tests/content/stored-bytes.ts";
import { Application, Middleware, ResourceGroup, type Resource } from "../modules/http.native.ts";
import type { FileCoding, FileSource } from "./file-source.ts";
import { Files } from "./files.ts";
import { folder, snapshot } from "./folder.ts";

interface Fields {
  readonly paths?: readonly string[];
  readonly immutable?: boolean;
  readonly fallback?: string;
  readonly index?: string;
}

/** Makes an application serve a source, and returns a function that sends requests to it. */
function serving(source: FileSource, fields: Fields = {}) {
  class Assets extends Files {
    paths: readonly string[] = fields.paths ?? ["/assets/:path*"];
    source = source;
    immutable = fields.immutable ?? false;
    index = fields.index ?? "index.html";
    fallback = fields.fallback!;
  }
  const faults: unknown[] = [];
  const app = Application.builder()
    .resources(Assets)
    .onError((error) => void faults.push(error))
    .build();
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    app.fetch(new Request(`http://h${path}`, { method, headers }));
  return { ask, faults };
}

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const long = "text ".repeat(1000);

describe.each([
  ["folder", folder],
  ["snapshot", snapshot],
] as const)("Files of a %s()", (_, sourceOf) => {
  it("answers GET and HEAD with a file", async () => {
    const root = folderOf({ "a.css": "a {}", "b/c.txt": "text" });
    const { ask } = serving(sourceOf(root));
    const response = await ask("/assets/a.css");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(response.headers.get("content-length")).toBe("4");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe("a {}");
    expect(await (await ask("/assets/b/c.txt")).text()).toBe("text");
    const head = await ask("/assets/b/c.txt", {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.body]).toEqual([200, "4", null]);
    expect((await ask("/assets/none.txt")).status).toBe(404);
    expect((await ask("/assets/a.css", {}, "POST")).status).toBe(501);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("answers 304, 206, 412 and 416", async () => {
    const root = folderOf({ "a.txt": "0123456789" });
    const { ask } = serving(sourceOf(root));
    const etag = (await ask("/assets/a.txt", {}, "HEAD")).headers.get("etag")!;
    const same = await ask("/assets/a.txt", { "if-none-match": etag });
    expect([same.status, same.headers.get("etag"), same.headers.get("vary")]).toEqual([304, etag, "Accept-Encoding"]);
    expect((await ask("/assets/a.txt", { "if-match": '"other"' })).status).toBe(412);
    const part = await ask("/assets/a.txt", { range: "bytes=2-4", "if-range": etag });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([206, "bytes 2-4/10", "234"]);
    const beyond = await ask("/assets/a.txt", { range: "bytes=10-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F1 answers 404 to segments that are not names of files", async () => {
    const root = folderOf({ "a/b.txt": "text", "c.txt": "text" });
    const { ask } = serving(sourceOf(join(root, "a")), { fallback: "b.txt" });
    expect((await ask("/assets/b.txt")).status).toBe(200);
    for (const path of [
      "/",
      "//b.txt",
      "b.txt//",
      "%00",
      "b.txt%00",
      "..%5Cc.txt",
      "b.txt%20",
      "b.txt.",
      "nul",
      "con.txt",
      "c:",
      "b.txt::$DATA",
      "%5C",
    ])
      expect((await ask(`/assets/${path}`, html)).status, path).toBe(404);
  });

  it("F8 chooses the coding by the weights of Accept-Encoding, and says that it varies", async () => {
    const files = { "a.js": long, "a.js.br": "br", "a.js.zst": "zst", "a.js.gz": "gz", "b.png": "png" };
    const { ask } = serving(sourceOf(folderOf(files)));
    for (const [acceptEncoding, coding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip, br;q=0.5", "gzip"],
      ["gzip;q=0.2, zstd;q=0.4, br;q=0.3", "zstd"],
      ["br;q=0, *", "zstd"],
      ["identity, br;q=0.5", null],
      ["identity;q=0.5, br;q=0.4, gzip;q=0.6", "gzip"],
      ["deflate", null],
      ["", null],
      ["br;q=0", null],
      ["identity;q=0, br;q=0", null],
    ] as const) {
      const response = await ask("/assets/a.js", { "accept-encoding": acceptEncoding });
      expect(response.headers.get("content-encoding"), acceptEncoding).toBe(coding);
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
      expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(await response.text()).toBe(coding === null ? long : { br: "br", zstd: "zst", gzip: "gz" }[coding]);
    }
    const none = await ask("/assets/a.js");
    expect([none.headers.get("content-encoding"), none.headers.get("vary")]).toEqual([null, "Accept-Encoding"]);
    await none.body?.cancel();
    const tags = await Promise.all(
      ["br", "zstd", "gzip", ""].map(async (coding) =>
        (await ask("/assets/a.js", { "accept-encoding": coding }, "HEAD")).headers.get("etag"),
      ),
    );
    expect(new Set(tags).size).toBe(4);
  });

  it("C9.10 says private of what a guard let through, however it is asked for", async () => {
    class SignedIn extends Middleware {
      static readonly security = { session: { type: "apiKey", in: "cookie", name: "session" } };
      ALL(request: Request): Promise<Response> | Response {
        return this.next(request);
      }
    }
    const source = sourceOf(folderOf({ "app-3kx9.js": "1" }));
    class Private extends Files {
      paths = ["/:path*"] as const;
      source = source;
      override immutable = true;
    }
    const app = Application.builder().middleware(SignedIn).resources(Private).build();
    const first = await app.request("/app-3kx9.js");
    await first.body?.cancel();
    expect(first.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    const again = await app.request("/app-3kx9.js", { headers: { "if-none-match": first.headers.get("etag")! } });
    expect([again.status, again.headers.get("cache-control")]).toEqual([304, "private, max-age=31536000, immutable"]);
  });

  it("F9 says immutable where that is declared, and never of HTML", async () => {
    const root = folderOf({ "index.html": "<p>", "app-3kx9.js": "1", "about.html": "<p>" });
    const fields = { paths: ["/:path*"], immutable: true, fallback: "index.html" };
    const { ask } = serving(sourceOf(root), fields);
    const cacheControl = async (path: string): Promise<string | null> =>
      (await ask(path, html, "HEAD")).headers.get("cache-control");
    expect(await cacheControl("/app-3kx9.js")).toBe("public, max-age=31536000, immutable");
    for (const path of ["/", "/index.html", "/about.html", "/some/where"])
      expect(await cacheControl(path), path).toBe("no-cache");
    const asking = serving(sourceOf(root));
    expect((await asking.ask("/assets/app-3kx9.js", {}, "HEAD")).headers.get("cache-control")).toBe("no-cache");
  });

  it("F10 falls back for clients that accept HTML, on paths whose last segment has no dot", async () => {
    const root = folderOf({ "index.html": "<p>", "a.txt": "text", "d/x.txt": "text" });
    const { ask } = serving(sourceOf(root), { paths: ["/:path*"], fallback: "index.html" });
    for (const path of ["/users", "/users/7", "/users/7/", "/v1.2/users", "/d", "/d/", "/%C3%A9"]) {
      const response = await ask(path, html);
      expect([response.status, await response.text()], path).toEqual([200, "<p>"]);
      expect(response.headers.get("vary")).toBe("Accept-Encoding, Accept");
      expect((await ask(path, html, "HEAD")).status).toBe(200);
      expect(await (await ask(path)).text(), "without Accept").toBe("<p>");
      const other = await ask(path, { accept: "application/json" });
      expect([other.status, other.headers.get("vary")], path).toEqual([404, "Accept"]);
    }
    for (const path of ["/app.js", "/users/a.b", "/users/a.b/", "/.env", "/a.txt/b.c"])
      expect((await ask(path, html)).status, path).toBe(404);
    expect((await ask("/users", html, "POST")).status).toBe(501);
    expect((await serving(sourceOf(root), { paths: ["/:path*"] }).ask("/users", html)).status).toBe(404);
    expect(
      (await serving(sourceOf(root), { paths: ["/:path*"], fallback: "no.html" }).ask("/users", html)).status,
    ).toBe(404);
    const empty = folderOf({ "app.html": "<a>" });
    const atRoot = serving(sourceOf(empty), { paths: ["/:path*"], fallback: "app.html" });
    expect(await (await atRoot.ask("/", html)).text(), "no index file").toBe("<a>");
    const nested = await serving(sourceOf(root), { fallback: "d/x.txt" }).ask("/assets/users", html);
    expect(await nested.text()).toBe("text");
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F14 redirects to the trailing slash of a folder with an index file, and answers there", async () => {
    const root = folderOf({
      "index.html": "root",
      "d/index.html": "d",
      "d/e f/index.html": "e f",
      "é/index.html": "é",
      "x/a.txt": "text",
    });
    const { ask } = serving(sourceOf(root));
    for (const [path, location, content] of [
      ["/assets", "./assets/", "root"],
      ["/assets/d", "./d/", "d"],
      ["/assets/d/e%20f", "./e%20f/", "e f"],
      ["/assets/%C3%A9", "./%C3%A9/", "é"],
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const response = await ask(path, html, method);
        expect([response.status, response.headers.get("location")], path).toEqual([301, location]);
        expect(response.headers.get("cache-control")).toBe("no-cache");
      }
      const { pathname } = new URL(location, `http://h${path}`);
      const there = await ask(pathname);
      expect([there.status, await there.text()], pathname).toEqual([200, content]);
    }
    for (const path of ["/assets/x", "/assets/x/", "/assets/none", "/assets/none/", "/assets/d/index.html/"])
      expect((await ask(path)).status, path).toBe(404);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F14 keeps the query, in ASCII", async () => {
    const root = folderOf({ "index.html": "root", "d/index.html": "d" });
    const { ask } = serving(sourceOf(root));
    for (const [path, location] of [
      ["/assets?x=1", "./assets/?x=1"],
      ["/assets/d?x=1&y=%2F../a?b", "./d/?x=1&y=%2F../a?b"],
      ["/assets/d?//evil.example", "./d/?//evil.example"],
      ["/assets/d?é=ü#top", "./d/?%C3%A9=%C3%BC"],
      ["/assets/d?", "./d/"],
      ["/assets/d#?x=1", "./d/"],
    ] as const)
      expect((await ask(path)).headers.get("location"), path).toBe(location);
    class Assets extends Files {
      paths = ["/assets/:path*"] as const;
      source = sourceOf(root);
    }
    const app = Application.builder().resources(Assets).build();
    const given = { url: "/assets/d?q=\u2028\r\n\u00e9", method: "GET", headers: new Headers() };
    const { headers } = (await app.handle(given)) as Response;
    expect(headers.get("location")).toBe("./d/?q=%E2%80%A8%C3%A9");
  });

  it("F14 never redirects to another host", async () => {
    const root = folderOf({ "evil.example/index.html": "<p>", "index.html": "<p>" });
    const { ask } = serving(sourceOf(root), { paths: ["/:path*"] });
    for (const path of [
      "//evil.example",
      "///evil.example",
      "//evil.example/%2e%2e",
      "/%2Fevil.example",
      "/%5Cevil.example",
      "//",
      "/./evil.example",
    ]) {
      const response = await ask(path);
      const location = response.headers.get("location");
      expect([404, 301, 200]).toContain(response.status);
      if (location !== null) expect(new URL(location, `http://h${path}`).host, path).toBe("h");
    }
  });

  it("F14 answers for a folder by another name, too", async () => {
    const { ask } = serving(sourceOf(folderOf({ "d/main.html": "d", "d/index.html": "no" })), { index: "main.html" });
    expect((await ask("/assets/d")).headers.get("location")).toBe("./d/");
    expect(await (await ask("/assets/d/")).text()).toBe("d");
  });

  it("has its path begin anywhere, in groups, too", async () => {
    const root = folderOf({ "index.html": "root", "a.txt": "text" });
    class Assets extends Files {
      paths = ["/files/:name/:path*", "/only/:path+", "/v:number/:path*"] as const;
      source = sourceOf(root);
    }
    const group = ResourceGroup.builder().resources(Assets).prefix("/:tenant", "/api").build();
    const app = Application.builder().resources(group).build();
    const ask = (path: string): Promise<Response> => app.fetch(new Request(`http://h${path}`));
    expect(await (await ask("/t/files/x/a.txt")).text()).toBe("text");
    expect(await (await ask("/api/only/a.txt")).text()).toBe("text");
    expect((await ask("/t/files/x%20y")).headers.get("location")).toBe("./x%20y/");
    expect((await ask("/api/only")).status).toBe(404);
    expect(await (await ask("/api/v1/a.txt")).text()).toBe("text");
    expect((await ask("/api/v1")).status, "a name that is only a part of a segment").toBe(404);
  });
});

describe("Files", () => {
  const none: FileSource = { codings: [], find: () => undefined };

  it("C3.7 refuses a pattern that does not end in the param path", () => {
    for (const pattern of ["/assets/:file*", "/assets/*", "/assets/:path", "/assets"]) {
      expect(() => serving(none, { paths: ["/:path*", pattern] })).toThrow(
        new TypeError(
          'Cannot add Assets to the application: expected a pattern that ends in "/:path*" or "/:path+", got ' +
            `"${pattern}"`,
        ),
      );
    }
  });

  it.each([
    [undefined, "undefined"],
    ["./public", '"./public"'],
    [{ find: () => undefined }, "an object"],
    [{ codings: [] }, "an object"],
  ])("C3.7 refuses the source %j", (source, got) => {
    expect(() => serving(source as unknown as FileSource)).toThrow(
      new TypeError(
        `Cannot add Assets to the application: its source must hold files, as folder("./public") does, got ${got}`,
      ),
    );
  });

  it.each(["", "a/index.html", 1])("C3.7 refuses the index %j", (index) => {
    expect(() => serving(none, { index: index as string })).toThrow(
      `its index must be the name of a file, such as "index.html", got ${JSON.stringify(index)}`,
    );
  });

  it.each(["/index.html", "./index.html", "", 1])("C3.7 refuses the fallback %j", (fallback) => {
    expect(() => serving(none, { fallback: fallback as string })).toThrow(
      `its fallback must be a path in the source, such as "index.html", got ${JSON.stringify(fallback)}`,
    );
  });

  it("asks any source for one coding after the other, decoded names, and closes what it finds", async () => {
    const asked: unknown[] = [];
    const files: StoredBytes[] = [];
    const source: FileSource = {
      codings: ["br", "gzip"],
      find: (segments, coding) => {
        asked.push([segments, coding]);
        if (segments.at(-1) !== "index.html" && segments.at(-1) !== "ä b.txt") return undefined;
        if (coding !== null) return Promise.resolve(undefined);
        files.push(new StoredBytes("text"));
        return files.at(-1);
      },
    };
    const { ask } = serving(source);
    const response = await ask("/assets/d/%C3%A4%20b.txt", { "accept-encoding": "gzip, br" });
    expect(await response.text()).toBe("text");
    const path = ["d", "ä b.txt"];
    expect(asked).toEqual([[path, "br"], [path, "gzip"], [path, null]]); // oxfmt-ignore
    expect((await ask("/assets/x")).status).toBe(301);
    expect(files.map(({ closings }) => closings)).toEqual([1, 1]);
  });

  it("has what a source throws be reported, and 500", async () => {
    const fault = new Error("EIO");
    for (const find of [
      () => Promise.reject(fault),
      () => {
        throw fault;
      },
    ]) {
      // oxfmt-ignore
      const { ask, faults } = serving({ codings: [] as FileCoding[], find });
      expect((await ask("/assets/a.txt")).status).toBe(500);
      expect(faults).toEqual([fault]);
    }
  });

  it("takes no option from what someone put on all objects", async () => {
    const { ask } = serving(snapshot(folderOf({ "a.txt": "text" })));
    Object.assign(Object.prototype, { download: "x.txt", headers: { "x-a": "1" }, vary: "*" });
    try {
      const { headers } = await ask("/assets/a.txt");
      const seen = ["content-disposition", "x-a", "vary"].map((name) => headers.get(name));
      expect(seen).toEqual([null, null, "Accept-Encoding"]);
    } finally {
      for (const name of ["download", "headers", "vary"]) Reflect.deleteProperty(Object.prototype, name);
    }
  });

  it("says that it varies only where there are codings", async () => {
    const { ask } = serving(snapshot(folderOf({ "a.txt": "text" }), { codings: [] }));
    expect((await ask("/assets/a.txt", {}, "HEAD")).headers.has("vary")).toBe(false);
  });

  it("is a resource of the native module, which build() takes", () => {
    class Assets extends Files {
      paths = ["/:path*"] as const;
      source = snapshot(folderOf({}));
    }
    const resource: Resource = new Assets();
    expect(resource).toBeInstanceOf(Files);
    expect(Application.builder().resources(Assets).build().resources[0]!.methods).toEqual(["GET", "HEAD"]);
  });
});
