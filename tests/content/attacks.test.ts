import { renameSync, symlinkSync, unlinkSync } from "node:fs";
import { rename, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Application, HTTPError, Resource, ResourceGroup, Status } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { Files } from "../../src/content/files.ts";
import { folder, snapshot } from "../../src/content/folder.ts";
import type { FileSource, FoundFile } from "../../src/content/file-source.ts";
import { longTargets, shown, targets } from "../security/hostile.ts";
import { exchange } from "../security/raw.ts";
import { started } from "../support/sockets.ts";
import { contentOf, descriptorCount, folderOf, openBelow, put } from "./folders.ts";

/** Files that may be had, in a folder beside others that may not. */
function makeWorld(followsLinks = false): string {
  const root = folderOf({
    "public/index.html": "open index",
    "public/a.txt": "open",
    "public/a.js": "open",
    "public/sub/index.html": "open sub",
    "public/sub/b.txt": "open",
    "public/evil.example/index.html": "open",
    "public/.env": "SECRET",
    "public/.git/config": "SECRET",
    "public/sub/.htpasswd": "SECRET",
    "public/admin/secret.txt": "SECRET",
    "public/admin/index.html": "SECRET",
    "public-secret/secret.txt": "SECRET",
    "public.txt": "SECRET",
    "secret.txt": "SECRET",
    "a.txt": "SECRET",
  });
  const links = {
    out: "..",
    secret: "../secret.txt",
    etc: "/etc",
    "passwd.txt": "/etc/passwd",
    "zero.bin": "/dev/zero",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, "public", name));
  // Where links are followed, the owner would have made another path of it.
  if (!followsLinks) symlinkSync("../admin", join(root, "public", "sub", "admin"));
  return root;
}

/** An application whose files in `admin` are behind a guard of a resource of its own. */
function makeApplication(source: FileSource, prefix = "") {
  class Admin extends Resource {
    paths = ["/admin/:path*"] as const;
    GET(): Response {
      throw new HTTPError(Status.Forbidden);
    }
  }
  class Open extends Files {
    paths = ["/:path*"] as const;
    source = source;
  }
  const faults: unknown[] = [];
  const group = ResourceGroup.builder()
    .resources(Admin, Open)
    .prefix(prefix === "" ? "/" : prefix)
    .build();
  const app = Application.builder()
    .resources(...(prefix === "" ? [Admin, Open] : [group]))
    .onError((error) => void faults.push(error))
    .build();
  return { app, faults };
}

const request = (url: string, method = "GET"): Request => ({ url, method, headers: new Headers() }) as Request;

const traversals: readonly string[] = [
  ...(
    "../secret.txt ..%2Fsecret.txt ..%2fsecret.txt %2e%2e/secret.txt %2e%2e%2fsecret.txt .%2e/secret.txt " +
    "..%5Csecret.txt"
  ).split(" "),
  ...(
    "..%5csecret.txt ..\\secret.txt %252e%252e/secret.txt %252e%252e%252fsecret.txt ..%252fsecret.txt " +
    "..%c0%afsecret.txt"
  ).split(" "),
  ...(
    "sub/../../secret.txt sub/..%2F..%2Fsecret.txt sub%2F..%2F..%2Fsecret.txt sub/%2e%2e/%2e%2e/secret.txt " +
    "....//secret.txt"
  ).split(" "),
  ...(
    "..././secret.txt ..;/secret.txt .../secret.txt %2e%2e%5csecret.txt sub\\..\\..\\secret.txt " +
    "../public-secret/secret.txt"
  ).split(" "),
  ...(
    "..%2Fpublic-secret%2Fsecret.txt ../public.txt -secret/secret.txt %2Fetc%2Fpasswd //etc/passwd /etc/passwd " +
    "file:///etc/passwd"
  ).split(" "),
  ...(
    "etc/passwd passwd.txt zero.bin out/secret.txt secret out/public-secret/secret.txt out%2Fsecret.txt " +
    "proc/self/environ"
  ).split(" "),
  ...(
    ".env %2eenv .env%20 .env. .env%2E .ENV .env::$DATA .env:x .git/config .git%2Fconfig .git%5Cconfig " +
    "sub/.htpasswd " +
    ".env%00.txt"
  ).split(" "),
  ...(
    "a.txt%00 a.txt%00.png a.txt%20 a.txt. a.txt/ a.txt/. a.txt/.. a.txt::$DATA a.txt:$DATA A.TXT a.txt%0a " +
    "a.txt%0d%0aX:y"
  ).split(" "),
  ...(
    "admin%2Fsecret.txt admin%2fsecret.txt admin%5Csecret.txt admin\\secret.txt /admin/secret.txt " +
    "//admin/secret.txt"
  ).split(" "),
  ...(
    "admin//secret.txt ./admin/secret.txt sub/../admin/secret.txt x/../admin/secret.txt %61dmin/secret.txt " +
    "admin/./secret.txt"
  ).split(" "),
  ...(
    "admin admin/ admin/secret.txt ADMIN/secret.txt admin;x/secret.txt admin%20/secret.txt admin./secret.txt " +
    "sub/admin/secret.txt"
  ).split(" "),
  ...(
    "con nul CON.txt aux com1 lpt1.txt c:/windows/win.ini c:%5Cwindows%5Cwin.ini %5C%5Chost%5Cshare " +
    "%5C%5C.%5Cc:%5C " +
    "ADMIN~1 ENV~1"
  ).split(" "),
  ...(
    "%E2%80%AE %EF%BC%8E%EF%BC%8E/secret.txt %EF%BC%8F %E2%88%95etc%E2%88%95passwd %C0%AE%C0%AE/secret.txt " +
    "%ED%A0%80 " +
    "%FF %"
  ).split(" "),
];

describe.each([
  ["folder", folder],
  ["snapshot", snapshot],
  ["folder that follows links", (root: string) => folder(root, { links: "inside" })],
  ["snapshot that follows links", (root: string) => snapshot(root, { links: "inside" })],
] as const)("files of a %s under attack", (name, sourceOf) => {
  const makeRoot = (): string => makeWorld(name.includes("links"));
  const isLeak = (content: string): boolean => content.includes("SECRET");

  it("F1 to F4 keep what is outside, hidden, or guarded, from every hostile path", async () => {
    const root = makeRoot();
    const source = sourceOf(join(root, "public"));
    for (const prefix of ["", "/assets"]) {
      const { app, faults } = makeApplication(source, prefix);
      const paths = [
        ...targets,
        ...longTargets,
        ...traversals.flatMap((path) => [`${prefix}/${path}`, `${prefix}/sub/${path}`]),
      ];
      for (const path of paths) {
        const result = await app.handle(request(path)).catch((error: unknown) => error);
        if (result instanceof HTTPError) {
          expect([400, 403, 404, 414], `${shown(path)}: ${result.status}`).toContain(result.status);
          continue;
        }
        expect(result, shown(path)).toBeInstanceOf(Response);
        const response = result as Response;
        expect([200, 301], shown(path)).toContain(response.status);
        expect(isLeak(await response.text()), shown(path)).toBe(false);
        const head = await app.handle(request(path, "HEAD"));
        expect([head.status, head.body], shown(path)).toEqual([response.status, null]);
      }
      expect(faults).toEqual([]);
    }
    for (const place of [root, "/dev", "/etc"])
      await expect
        .poll(() => openBelow(place).filter((path) => path !== "/dev/null" && !path.startsWith("/dev/pts")))
        .toEqual([]);
  });

  it("F1 to F4 hold over real sockets, too, where paths come as they are sent", async () => {
    const root = makeRoot();
    const { app } = makeApplication(sourceOf(join(root, "public")));
    const server = await started(app);
    for (const path of traversals) {
      const target = `/${path}`.replaceAll(/[^\x21-\x7e]/g, "");
      const answer = await exchange(server, `GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      expect(answer, target).toMatch(/^HTTP\/1\.1 (?:200|301|400|403|404) /);
      expect(isLeak(answer), target).toBe(false);
      expect(answer, target).not.toContain("root:x:");
    }
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  /** Makes a function that gives the status of a path. */
  function statuses(): (path: string) => Promise<number> {
    const { app } = makeApplication(sourceOf(join(makeRoot(), "public")));
    return async (path) => {
      const response = await app.fetch(request(`http://h${path}`));
      await response.body?.cancel();
      return response.status;
    };
  }

  it("Hono CVE-2026-29045, @fastify/static GHSA-x428: an encoded slash separates nothing", async () => {
    const status = statuses();
    expect(await status("/admin/secret.txt")).toBe(403);
    for (const path of ["/admin%2Fsecret.txt", "/admin%2fsecret.txt", "/sub%2Fb.txt", "/%2Fa.txt", "/sub/..%2Fa.txt"])
      expect(await status(path), path).toBe(404);
  });

  it("Hono CVE-2026-39407, @fastify/static GHSA-423g: slashes and dots that are repeated lead nowhere", async () => {
    const status = statuses();
    for (const path of ["//admin/secret.txt", "//a.txt", "/sub//b.txt", "///a.txt", "//./a.txt", "/sub//"])
      expect(await status(path), path).toBe(404);
    for (const path of [
      "/./admin/secret.txt",
      "/sub/../admin/secret.txt",
      "/admin/./secret.txt",
      "/%2e/admin/secret.txt",
    ])
      expect(await status(path), path).toBe(403);
    expect(await status("/admin//secret.txt"), "the guard is not around a path, but around the resource").toBe(403);
  });

  it("Hono CVE-2026-54286: a backslash separates nothing, encoded or not", async () => {
    const status = statuses();
    for (const path of ["/admin%5Csecret.txt", "/admin%5csecret.txt", "/sub%5Cb.txt", "/..%5Csecret.txt"])
      expect(await status(path), path).toBe(404);
    // The URL standard makes a slash of it, before the guard is asked.
    expect(await status("/admin\\secret.txt")).toBe(403);
  });

  it("Hono CVE-2026-24473: no name is a key of anything but files", async () => {
    const status = statuses();
    for (const path of (
      "constructor __proto__ toString hasOwnProperty valueOf prototype __proto__/constructor " +
      "admin.constructor " +
      "%00"
    ).split(" "))
      expect(await status(`/${path}`), path).toBe(404);
  });

  it("@fastify/static GHSA-83w8: dot segments in the middle are resolved before the guard is asked, once", async () => {
    const status = statuses();
    for (const path of [
      "/sub/../admin/secret.txt",
      "/sub/%2e%2e/admin/secret.txt",
      "/sub/%2E./x/../../admin/secret.txt",
    ])
      expect(await status(path), path).toBe(403);
    for (const path of ["/sub/%252e%252e/admin/secret.txt", "/sub/%252e%252e/a.txt"])
      expect(await status(path), path).toBe(404);
  });

  it("@fastify/static GHSA-8pvw: a file has one path", async () => {
    const status = statuses();
    expect(await status("/sub/b.txt")).toBe(200);
    for (const path of [
      "/sub/b.txt/",
      "/sub/b.txt%20",
      "/sub/b.txt.",
      "/SUB/b.txt",
      "/sub;x/b.txt",
      "//sub/b.txt",
      "/sub%20/b.txt",
    ])
      expect(await status(path), path).toBe(404);
  });

  it("@fastify/static GHSA-pr96: no folder is listed, inside or outside", async () => {
    for (const path of ["/out/", "/out", "/etc/", "/etc", "/.git/", "/sub/..%2F", "/%2e%2e%2f", "/evil.example/%2e"]) {
      const { app } = makeApplication(sourceOf(join(makeRoot(), "public")));
      const response = await app.fetch(request(`http://h${path}`));
      const content = await response.text();
      expect(content, path).not.toMatch(/secret|config|passwd/);
    }
  });

  it("sirv SNYK-JS-SIRV-12558119: a folder beside whose name begins the same is outside", async () => {
    const status = statuses();
    for (const path of [
      "/../public-secret/secret.txt",
      "/%2e%2e/public-secret/secret.txt",
      "/-secret/secret.txt",
      "/..%2Fpublic-secret%2Fsecret.txt",
    ])
      expect(await status(path), path).toBe(404);
    const root = makeRoot();
    symlinkSync("../public-secret", join(root, "public", "beside"));
    const source = sourceOf(join(root, "public"));
    expect(await source.find(["beside", "secret.txt"], null)).toBeUndefined();
    expect(await source.find(["..", "public-secret", "secret.txt"], null)).toBeUndefined();
  });

  it("Vite CVE-2026-53571: neither a stream nor a short name of Windows leads around a rule", async () => {
    const status = statuses();
    for (const path of [
      "/.env::$DATA",
      "/.env:$DATA",
      "/a.txt::$DATA",
      "/sub::$INDEX_ALLOCATION/b.txt",
      "/sub:$I30:$INDEX_ALLOCATION/b.txt",
      "/ENV~1",
      "/GIT~1/config",
      "/.env.",
      "/.env%20",
    ])
      expect(await status(path), path).toBe(404);
  });

  it("send CVE-2024-43799: a redirect has no content that a path could be in, and leads to no other host", async () => {
    const { app } = makeApplication(sourceOf(join(makeRoot(), "public")));
    const response = await app.fetch(request("http://h/evil.example"));
    expect([response.status, response.headers.get("location"), response.body]).toEqual([301, "./evil.example/", null]);
    for (const path of [
      "//evil.example",
      "/%2Fevil.example",
      "/\\evil.example",
      "//evil.example/..",
      "/%5Cevil.example",
      "///evil.example//",
    ]) {
      const other = await app.fetch(request(`http://h${path}`));
      const location = other.headers.get("location");
      if (location !== null) expect(new URL(location, `http://h${path}`).host, path).toBe("h");
      const content = await other.text();
      expect(content, path).not.toContain("evil");
    }
  });
});

describe("a folder whose files are swapped under attack", () => {
  it("F2 gives nothing from outside while files and folders become links and files again", async () => {
    const root = folderOf({
      "public/a.txt": "open",
      "public/d/a.txt": "open",
      "public/e/a.txt": "open",
      "o/a.txt": "SECRET",
      secret: "SECRET",
    });
    const at = (path: string): string => join(root, path);
    symlinkSync("../secret", at("file-link"));
    symlinkSync("../o", at("folder-link"));
    const before = descriptorCount();
    let isOver = false;
    async function swapping(link: string, path: string): Promise<void> {
      for (;;) {
        await rename(at(path), at(`${path}.kept`));
        await symlink(link, at(path));
        if (isOver) break;
        await new Promise((resolve) => setImmediate(resolve));
        await unlink(at(path));
        await rename(at(`${path}.kept`), at(path));
      }
    }
    const swaps = [swapping("../secret", "public/a.txt"), swapping("../o", "public/d")];
    const contents = new Map<string | null, number>();
    for (const source of [folder(at("public")), folder(at("public"), { links: "inside" })]) {
      for (let turn = 0; turn < 300; turn++) {
        const found = await Promise.all(
          [["a.txt"], ["d", "a.txt"], ["e", "a.txt"]].map(async (path) => {
            const stored = await source.find(path, null);
            return stored === undefined ? null : contentOf(stored);
          }),
        );
        for (const content of found) contents.set(content, (contents.get(content) ?? 0) + 1);
        expect(found[2]).toBe("open");
      }
    }
    isOver = true;
    await Promise.all(swaps);
    expect([...contents.keys()].toSorted()).toEqual([null, "open"].toSorted());
    await expect.poll(descriptorCount).toBeLessThanOrEqual(before + 2);
    await expect.poll(() => openBelow(root)).toEqual([]);
  });

  it("F11 serves either state of a file that is replaced all the time, and never none", async () => {
    const root = folderOf({ "a.txt": "one" });
    const source = folder(root);
    for (let turn = 0; turn < 200; turn++) {
      const finding = source.find(["a.txt"], null) as Promise<FoundFile>;
      put(join(root, "b.txt"), turn % 2 === 0 ? "two" : "one");
      renameSync(join(root, "b.txt"), join(root, "a.txt"));
      expect(["one", "two"]).toContain(await contentOf(await finding));
    }
    unlinkSync(join(root, "a.txt"));
    expect(await source.find(["a.txt"], null)).toBeUndefined();
  });
});
