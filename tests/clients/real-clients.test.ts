import { execFile, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { serve } from "fingerpost/node";
import { document } from "fingerpost/openapi";
import { afterAll, describe, expect, it } from "vitest";
import { gitServer } from "./servers/git.ts";
import { npmRegistry } from "./servers/npm.ts";
import { ociRegistry } from "./servers/oci.ts";
import { otlpReceiver } from "./servers/otlp.ts";
import { s3Server } from "./servers/s3.ts";

/** `FINGERPOST_CLIENTS=quick` tries clients that each machine has, `all` those of Debian, too. */
const { FINGERPOST_CLIENTS: asked } = process.env;
const has = (command: string): boolean => spawnSync(command, ["--version"]).status === 0;
const canRun = (command: string): boolean => asked === "all" && has(command);
const absent = ["skopeo", "buildah", "rclone", "s3cmd"].filter((name) => !has(name));
if (asked === "all" && absent.length > 0) console.warn(`Clients that are not installed: ${absent.join(", ")}`);

// Names of images are in lower case.
const folder = join(tmpdir(), `fingerpost-clients-${process.pid}-${Date.now()}`);
mkdirSync(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
function freshFolder(): string {
  const path = join(folder, String(count++));
  mkdirSync(path);
  return path;
}

const env: NodeJS.ProcessEnv = { ...process.env, GIT_TERMINAL_PROMPT: "0", AWS_CA_BUNDLE: undefined };
const run = async (command: string, args: readonly string[], cwd = folder, more = {}): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd, env: { ...env, ...more } })).stdout;

const users = new Map([["ada", "secret"]]);
const exported: string[] = [];
const onNode = {
  git: gitServer,
  npm: () => npmRegistry(users),
  oci: (path: string) => ociRegistry(path, users),
  otlp: () => otlpReceiver((signal, type, content) => exported.push(`${signal} ${type} ${content.length}`)),
  s3: () => s3Server(users),
};

const tool = (path: string): string => fileURLToPath(new URL(`../runtimes/node_modules/${path}`, import.meta.url));
const commands: Readonly<Record<string, readonly string[]>> = {
  Bun: [tool("bun/bin/bun.exe")],
  Deno: [tool("deno/deno"), "run", "--allow-all", "--no-lock", "--node-modules-dir=manual"],
};

/** Serves one of the five on a runtime while a function uses it. */
async function served(
  runtime: string,
  name: keyof typeof onNode,
  path: string,
  use: (origin: string) => Promise<void>,
): Promise<void> {
  const command = commands[runtime];
  if (command === undefined) {
    const server = await serve(onNode[name](path), { port: 0 });
    try {
      await use(`http://localhost:${(server.address() as { readonly port: number }).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    return;
  }
  const main = join(folder, "main.mjs");
  // Deno resolves no name of the package that it is in.
  if (!existsSync(main)) {
    const entryPoints = [fileURLToPath(new URL("servers/main.ts", import.meta.url))];
    await build({
      entryPoints,
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: main,
      conditions: ["development"],
    });
  }
  const child = spawn(command[0]!, [...command.slice(1), main, name, path], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  try {
    await use(`http://localhost:${/\d+/.exec((await lines.next()).value as string)![0]}`);
  } finally {
    child.kill("SIGKILL");
  }
}

describe("the documents of the five", () => {
  it.each(Object.entries(onNode))("have what each write of %s takes", (name, make) => {
    const { paths } = document(make(folder) as ReturnType<typeof onNode.oci>, { title: name, version: "1" });
    const writes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        method.startsWith("p") && operation !== undefined
          ? [{ at: `${method} ${path}`, ...(operation as object) }]
          : [],
      ),
    );
    const without = writes.filter((write) => !("requestBody" in write)).map(({ at }) => at);
    expect(writes.length).toBeGreaterThan(0);
    // It begins an upload, whose content comes in parts.
    expect(without).toEqual(name === "oci" ? ["post /v2/{name}/blobs/uploads"] : []);
  });
});

const runtimes = ["Node", ...Object.keys(commands).filter((name) => existsSync(commands[name]![0]!))];

describe.runIf(asked !== undefined).each(runtimes)("on %s", (runtime) => {
  it.runIf(has("git"))("git clones, pushes and fetches with compressed requests", { timeout: 120_000 }, async () => {
    const path = freshFolder();
    const bare = join(path, "bare", "team", "tools.git");
    await run("git", ["init", "-q", "--bare", "-b", "main", bare]);
    await run("git", ["-C", bare, "config", "http.receivepack", "true"]);
    const git = (name: string, ...args: readonly string[]): Promise<string> =>
      run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], join(path, name));
    await served(runtime, "git", join(path, "bare"), async (origin) => {
      await git("", "clone", "-q", `${origin}/team/tools.git`, "one");
      // The second push has more than 1 MiB, which git sends in chunks.
      const noise = (n: number): string => createHash("sha512").update(String(n)).digest("hex");
      for (const size of [2, 20_000]) {
        writeFileSync(join(path, "one", "file"), Array.from({ length: size }, (_, n) => noise(n)).join("\n"));
        await git("one", "add", ".");
        await git("one", "commit", "-q", "-m", `Add ${size} lines`);
        await git("one", "push", "-q", "origin", "HEAD:main");
      }
      await git("", "clone", "-q", `${origin}/team/tools.git`, "two");
      expect(readFileSync(join(path, "two", "file"), "utf8").split("\n")).toHaveLength(20_000);
      // Commits of its own make the request of a fetch so long that git compresses it.
      for (let n = 0; n < 40; n++) await git("two", "commit", "-q", "--allow-empty", "-m", `Other ${n}`);
      await git("one", "commit", "-q", "--allow-empty", "-m", "Last");
      await git("one", "push", "-q", "origin", "HEAD:main");
      await git("two", "fetch", "-q");
      expect((await git("two", "log", "--oneline", "origin/main")).trim().split("\n")).toHaveLength(3);
    });
  });

  it("npm publishes, installs, tags and audits", { timeout: 120_000 }, async () => {
    const path = freshFolder();
    await served(runtime, "npm", path, async (origin) => {
      const login = await fetch(`${origin}/-/user/org.couchdb.user:ada`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "ada", password: "secret" }),
      });
      const { token } = (await login.json()) as { readonly token: string };
      const settings = [
        `registry=${origin}/`,
        `${origin.slice(5)}/:_authToken=${token}`,
        `cache=${path}/cache`,
        "update-notifier=false",
      ];
      const made = { name: "@team/tools", version: "1.0.0", main: "index.js" };
      for (const [name, manifest] of Object.entries({ made, used: { name: "used", version: "1.0.0" } })) {
        mkdirSync(join(path, name));
        writeFileSync(join(path, name, "package.json"), JSON.stringify(manifest));
        writeFileSync(join(path, name, ".npmrc"), settings.join("\n"));
      }
      writeFileSync(join(path, "made", "index.js"), "module.exports = 7;\n");
      // The npm that runs this test sets variables that would come before the settings.
      const plain = Object.fromEntries(
        Object.keys(env).flatMap((key) => (/^npm_/i.test(key) ? [[key, undefined]] : [])),
      );
      const npm = (name: string, ...args: readonly string[]): Promise<string> =>
        run("npm", args, join(path, name), plain);
      await npm("made", "publish", "--access=public");
      await expect(npm("made", "publish")).rejects.toThrow("previously published");
      expect(await npm("made", "whoami")).toBe("ada\n");
      await npm("made", "dist-tag", "add", "@team/tools@1.0.0", "next");
      await npm("used", "install", "@team/tools");
      expect(readdirSync(join(path, "used/node_modules/@team/tools"))).toContain("index.js");
      expect(await npm("used", "audit")).toContain("found 0 vulnerabilities");
      expect(JSON.parse(await npm("used", "view", "@team/tools", "dist-tags", "--json"))).toEqual({
        latest: "1.0.0",
        next: "1.0.0",
      });
    });
  });

  it("an exporter sends traces as JSON and as protobuf, plain and compressed", async () => {
    await served(runtime, "otlp", folder, async (origin) => {
      for (const type of ["application/json", "application/x-protobuf"]) {
        for (const encoding of [undefined, "gzip"]) {
          const content = Buffer.from("a".repeat(5000));
          const response = await fetch(`${origin}/v1/traces`, {
            method: "POST",
            headers: { "content-type": type, ...(encoding && { "content-encoding": encoding }) },
            body: encoding === undefined ? content : gzipSync(content),
          });
          expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
          expect(await response.text()).toBe(type === "application/json" ? '{"partialSuccess":{}}' : "");
        }
      }
      if (runtime !== "Node") return;
      expect(exported.splice(0)).toEqual([
        ...["traces application/json 5000", "traces application/json 5000"],
        ...["traces application/x-protobuf 5000", "traces application/x-protobuf 5000"],
      ]);
    });
  });

  it.runIf(canRun("skopeo"))("skopeo pushes, pulls, lists and deletes an image", { timeout: 120_000 }, async () => {
    const path = freshFolder();
    const { layout, digest } = imageIn(join(path, "layout"));
    await served(runtime, "oci", join(path, "store"), async (origin) => {
      const image = `docker://${origin.slice(7)}/team/tools/app:1.0`;
      const skopeo = (verb: string, side: string, ...args: readonly string[]): Promise<string> =>
        run("skopeo", ["--insecure-policy", verb, `--${side}creds=ada:secret`, `--${side}tls-verify=false`, ...args]);
      await skopeo("copy", "dest-", `oci:${layout}:one`, image);
      await skopeo("copy", "src-", image, `dir:${join(path, "out")}`);
      expect(readdirSync(join(path, "out")).length).toBe(4);
      expect(JSON.parse(await skopeo("list-tags", "", image.replace(/:1\.0$/, "")))).toMatchObject({ Tags: ["1.0"] });
      expect(JSON.parse(await skopeo("inspect", "", image))).toMatchObject({ Digest: digest });
      await skopeo("delete", "", image);
      await expect(skopeo("inspect", "", `${image.slice(0, -3)}2.0`)).rejects.toThrow("MANIFEST_UNKNOWN");
    });
  });

  it.runIf(canRun("buildah"))("buildah pulls what it pushed", { timeout: 120_000 }, async () => {
    const path = freshFolder();
    const { layout } = imageIn(join(path, "layout"));
    await served(runtime, "oci", join(path, "store"), async (origin) => {
      const image = `${origin.slice(7)}/team/app:2.0`;
      const buildah = (...args: readonly string[]): Promise<string> =>
        run("buildah", [
          "--root",
          join(path, "root"),
          "--runroot",
          join(path, "run"),
          "--storage-driver",
          "vfs",
          ...args,
        ]);
      const access = ["--tls-verify=false", "--creds=ada:secret"];
      const id = (await buildah("pull", "-q", `oci:${layout}:one`)).trim();
      await buildah("push", "-q", ...access, id, `docker://${image}`);
      await buildah("rmi", id);
      await buildah("pull", "-q", ...access, `docker://${image}`);
      expect(await buildah("images", "-q")).not.toBe("");
    });
  });

  it.runIf(canRun("rclone"))("rclone copies, checks and deletes", { timeout: 120_000 }, async () => {
    const path = freshFolder();
    const files = filesIn(join(path, "in"));
    await served(runtime, "s3", path, async (endpoint) => {
      const variables = {
        RCLONE_CONFIG: join(path, "rclone.conf"),
        RCLONE_CONFIG_S_TYPE: "s3",
        RCLONE_CONFIG_S_PROVIDER: "Other",
        RCLONE_CONFIG_S_ACCESS_KEY_ID: "ada",
        RCLONE_CONFIG_S_SECRET_ACCESS_KEY: "secret",
        RCLONE_CONFIG_S_ENDPOINT: endpoint,
        RCLONE_S3_UPLOAD_CUTOFF: "5M",
      };
      const rclone = (...args: readonly string[]): Promise<string> =>
        run("rclone", [...args, "--retries=1", "--low-level-retries=1"], path, variables);
      await rclone("mkdir", "s:box");
      await rclone("copy", "in", "s:box/sub");
      await rclone("check", "in", "s:box/sub");
      expect((await rclone("lsf", "-R", "--files-only", "s:box/sub")).trim().split("\n").toSorted()).toEqual(files);
      await rclone("copy", "s:box/sub", "out");
      for (const file of files) expect(isSame(join(path, "out", file), join(path, "in", file)), file).toBe(true);
      await rclone("copyto", "s:box/sub/one.txt", "s:box/two.txt");
      await rclone("purge", "s:box");
      expect(await rclone("lsd", "s:")).toBe("");
      await expect(rclone("lsd", "s:", "--s3-secret-access-key=other")).rejects.toThrow("SignatureDoesNotMatch");
    });
  });

  it.runIf(canRun("s3cmd"))("s3cmd puts in parts, lists, gets, copies and deletes", { timeout: 120_000 }, async () => {
    const path = freshFolder();
    filesIn(join(path, "in"));
    await served(runtime, "s3", path, async (origin) => {
      const host = origin.slice(7);
      const settings = {
        access_key: "ada",
        secret_key: "secret",
        host_base: host,
        host_bucket: host,
        use_https: "False",
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
      writeFileSync(join(path, "s3cfg"), ["[default]", ...lines, "multipart_chunk_size_mb = 5"].join("\n"));
      const s3cmd = (...args: readonly string[]): Promise<string> =>
        run("s3cmd", ["-c", "s3cfg", "--no-progress", ...args], path);
      await s3cmd("mb", "s3://tub");
      await s3cmd("put", "in/large", "in/one.txt", "s3://tub/x/");
      expect((await s3cmd("ls", "-r", "s3://tub")).trim().split("\n")).toHaveLength(2);
      await s3cmd("get", "s3://tub/x/large", "got");
      expect(isSame(join(path, "got"), join(path, "in/large"))).toBe(true);
      await s3cmd("cp", "s3://tub/x/one.txt", "s3://tub/y.txt");
      await expect(s3cmd("get", "s3://tub/none", "none")).rejects.toThrow("does not exist");
      await s3cmd("del", "-r", "--force", "s3://tub");
      await s3cmd("rb", "s3://tub");
    });
  });
});

/** `toEqual()` compares bytes one by one: 12 MB take a minute. */
function isSame(one: string, other: string): boolean {
  return readFileSync(one).equals(readFileSync(other));
}

/** Writes an image of one layer as an OCI layout, and returns the digest of its manifest. */
function imageIn(layout: string): { readonly layout: string; readonly digest: string } {
  const blobs = join(layout, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const put = (content: Buffer, mediaType: string): { digest: string; mediaType: string; size: number } => {
    const hex = createHash("sha256").update(content).digest("hex");
    writeFileSync(join(blobs, hex), content);
    return { mediaType, digest: `sha256:${hex}`, size: content.length };
  };
  const type = "application/vnd.oci.image";
  const json = (value: object, kind: string) => put(Buffer.from(JSON.stringify(value)), `${type}.${kind}.v1+json`);
  // An archive without members: zeros to the end of a block.
  const archive = Buffer.alloc(3_000_000 - (3_000_000 % 512));
  const diff = `sha256:${createHash("sha256").update(archive).digest("hex")}`;
  const config = json(
    { architecture: "amd64", os: "linux", config: {}, rootfs: { type: "layers", diff_ids: [diff] } },
    "config",
  );
  const layers = [put(gzipSync(archive), `${type}.layer.v1.tar+gzip`)];
  const manifest = json({ schemaVersion: 2, mediaType: `${type}.manifest.v1+json`, config, layers }, "manifest");
  const annotations = { "org.opencontainers.image.ref.name": "one" };
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] };
  writeFileSync(join(layout, "index.json"), JSON.stringify(index));
  return { layout, digest: manifest.digest };
}

/** Writes files that are empty, large, and named so that something may go wrong; returns their names. */
function filesIn(path: string): string[] {
  const contents = { "a b/ä & <b>+%41.html": "<p>", empty: "", large: "5".repeat(12_000_000), "one.txt": "one" };
  mkdirSync(join(path, "a b"), { recursive: true });
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(path, name), content);
  return Object.keys(contents);
}
