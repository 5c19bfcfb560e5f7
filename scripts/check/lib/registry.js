// A registry on this machine that has the package as it would be published: what pages tell newcomers to type works by
// it.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packInto } from "./packed.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs a line of a shell, without blocking the registry. */
export async function shell(line, options) {
  const { stdout } = await promisify(execFile)("bash", ["-euc", line], options);
  return stdout;
}

/** What npm is told by the environment: this registry, and a cache of its own. */
function environment(url, folder) {
  const settings = {
    registry: url,
    cache: join(folder, "cache"),
    audit: "false",
    fund: "false",
    update_notifier: "false",
    yes: "true",
  };
  return {
    ...process.env,
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`npm_config_${key}`, value])),
  };
}

/** Packs the package, and whatever else is asked for and installed here, and offers them to npm. */
export async function openRegistry() {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  const offered = new Map();
  async function pack(source) {
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
    const { filename } = await packInto(folder, source);
    return { manifest, filename, tarball: readFileSync(join(folder, filename)) };
  }
  /** Null where it is not installed here, such as what only other systems need. */
  function find(name) {
    const source = name === "fingerpost" ? root : join(root, "node_modules", name);
    if (!offered.has(name)) offered.set(name, existsSync(join(source, "package.json")) ? pack(source) : null);
    return offered.get(name);
  }
  await find("fingerpost");

  const server = createServer(async ({ url }, response) => {
    const [, name, isTarball] = /^\/((?:@[^/]+\/)?[^/]+)(\/-\/.+)?$/.exec(decodeURIComponent(url)) ?? [];
    const found = name === undefined ? null : await find(name);
    if (found === null) return response.writeHead(404).end("{}");
    const { manifest, filename, tarball } = found;
    if (isTarball !== undefined) return response.end(tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { tarball: `http://127.0.0.1:${server.address().port}/${name}/-/${filename}`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    return response.end(JSON.stringify({ name, "dist-tags": { latest: manifest.version }, versions }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));

  return {
    env: environment(`http://127.0.0.1:${server.address().port}/`, folder),
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
