// The files of a worker: on this runtime, and on workerd where it is installed (tests/runtimes).
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>;
type Bucket = {
  gets: unknown[];
  put(key: string, text: string, contentType?: string): void;
  delete(key: string): void;
  get(key: string, how: { range: object; onlyIf: object }): Promise<unknown>;
};

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const workerd = at("../../tests/runtimes/node_modules/workerd/bin/workerd");
if (!existsSync(workerd)) console.warn("Files are not tested on workerd: run `npm ci` in tests/runtimes");

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Has build.js write a module of public/, and of what must not be in it. */
async function builtModule(folder: string): Promise<string> {
  const { writeModule } = (await import(at("build.js"))) as {
    writeModule(folder: string, module: string): Promise<void>;
  };
  const module = join(folder, "site.js");
  await writeModule(at("public"), module);
  return module;
}

const uploads = { "a.txt": "0123456789", "d/b": "bytes" };

async function onThisRuntime(): Promise<{ ask: Ask; bucket: Bucket }> {
  const { applicationOf } = (await import(at("application.js"))) as {
    applicationOf(files: unknown, bucket: Bucket): { fetch(request: Request): Promise<Response> };
  };
  const { FakeBucket } = (await import(at("fake-bucket.js"))) as { FakeBucket: new () => Bucket };
  const { default: files } = (await import(await builtModule(scratch()))) as { default: unknown };
  const bucket = new FakeBucket();
  bucket.put("a.txt", uploads["a.txt"], "text/plain");
  bucket.put("d/b", uploads["d/b"]);
  const app = applicationOf(files, bucket);
  return { bucket, ask: async (path, headers = {}) => app.fetch(new Request(`http://h${path}`, { headers })) };
}

/** Runs the same application as a worker. */
async function onWorkerd(): Promise<{ ask: Ask }> {
  const folder = scratch();
  await builtModule(folder);
  const program = `
    import { applicationOf } from ${JSON.stringify(at("application.js"))};
    import { FakeBucket } from ${JSON.stringify(at("fake-bucket.js"))};
    import files from "./site.js";
    const bucket = new FakeBucket();
    bucket.put("a.txt", ${JSON.stringify(uploads["a.txt"])}, "text/plain");
    bucket.put("d/b", ${JSON.stringify(uploads["d/b"])});
    export default applicationOf(files, bucket);`;
  writeFileSync(join(folder, "program.js"), program);
  const src = at("../../src");
  await build({
    entryPoints: [join(folder, "program.js")],
    outfile: join(folder, "files.workerd.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    alias: {
      "fingerpost/native": join(src, "modules/http.native.ts"),
      "fingerpost/files": join(src, "content/files.ts"),
    },
  });
  const config = readFileSync(at("../../tests/runtimes/shims/workerd.capnp"), "utf8");
  writeFileSync(join(folder, "files.capnp"), config.replace("NAME", "files"));
  const child = spawn(workerd, ["serve", join(folder, "files.capnp"), "--control-fd=3"], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface(child.stdio[3] as NodeJS.ReadableStream)) {
    const port = /"event":"listen".*"port":(\d+)/.exec(line)?.[1];
    if (port !== undefined)
      return { ask: (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers }) };
  }
  throw new Error("workerd ended before it listened");
}

const answerOf = async (response: Response): Promise<[number, string]> => [response.status, await response.text()];

describe.each([
  ["this runtime", true, onThisRuntime],
  ["workerd", existsSync(workerd), onWorkerd],
] as const)("files of a worker on %s", (_, isThere, start) => {
  it.runIf(isThere)("serves a snapshot that the build made", async () => {
    const { ask } = await start();
    const index = await ask("/");
    expect([index.status, index.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await index.text()).toBe(readFileSync(at("public/index.html"), "utf8"));

    const style = await ask("/style.css");
    const etag = style.headers.get("etag")!;
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(await style.text()).toBe(readFileSync(at("public/style.css"), "utf8"));
    expect(await answerOf(await ask("/style.css", { "if-none-match": etag }))).toEqual([304, ""]);
    expect(await answerOf(await ask("/style.css", { range: "bytes=0-1", "if-range": etag }))).toEqual([206, "h1"]);
    for (const path of ["/none.css", "/..%2Fbuild.js", "/constructor"])
      expect((await ask(path)).status, path).toBe(404);
  });

  it.runIf(isThere)("serves objects of a bucket", async () => {
    const { ask } = await start();
    const whole = await ask("/uploads/a.txt");
    expect([whole.headers.get("content-type"), ...(await answerOf(whole))]).toEqual(["text/plain", 200, "0123456789"]);
    expect(whole.headers.get("last-modified")).toBe("Fri, 02 Jan 2026 03:04:05 GMT");
    const part = await ask("/uploads/a.txt", { range: "bytes=2-4" });
    expect([part.headers.get("content-range"), ...(await answerOf(part))]).toEqual(["bytes 2-4/10", 206, "234"]);
    const etag = whole.headers.get("etag")!;
    expect(await answerOf(await ask("/uploads/a.txt", { "if-none-match": etag }))).toEqual([304, ""]);
    const other = await ask("/uploads/d/b");
    expect([other.headers.get("content-type"), await other.text()]).toEqual(["application/octet-stream", "bytes"]);
    for (const path of ["/uploads/none", "/uploads/d%2Fb", "/uploads/d//b"])
      expect((await ask(path)).status, path).toBe(404);
  });
});

describe("a source over a bucket", () => {
  it("asks for the bytes of the range alone, and for none where none are sent", async () => {
    const { ask, bucket } = await onThisRuntime();
    await (await ask("/uploads/a.txt", { range: "bytes=2-4" })).text();
    expect(bucket.gets).toMatchObject([{ key: "a.txt", range: { offset: 2, length: 3 } }]);
    await ask("/uploads/a.txt", { range: "bytes=99-" });
    expect(bucket.gets).toHaveLength(1);
  });

  it("F11 sends nothing of an object that was replaced or deleted meanwhile", async () => {
    const { ask, bucket } = await onThisRuntime();
    const { get } = bucket;
    const between: ((key: string) => void)[] = [(key) => bucket.put(key, "another"), (key) => bucket.delete(key)];
    for (const change of between) {
      bucket.put("a.txt", "first");
      bucket.get = (key, how) => {
        change(key);
        return get.call(bucket, key, how);
      };
      expect((await ask("/uploads/a.txt")).status).toBe(500);
    }
  });
});

describe("build.js", () => {
  it("writes what a snapshot has, and nothing else", async () => {
    const folder = scratch();
    const { writeModule } = (await import(at("build.js"))) as { writeModule(from: string, to: string): Promise<void> };
    writeFileSync(join(folder, "a.txt"), "text");
    writeFileSync(join(folder, ".env"), "SECRET");
    symlinkSync("/etc/passwd", join(folder, "link.txt"));
    await writeModule(folder, join(folder, "site.mjs"));
    const { default: files } = (await import(join(folder, "site.mjs"))) as { default: object };
    expect(Object.keys(files)).toEqual(["a.txt"]);
  });
});
