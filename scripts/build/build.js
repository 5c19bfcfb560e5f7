// Compiles the package to dist/, and the examples to dist/ in their folders, from nothing; and does nothing where they
// were compiled from the same files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transformSync } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

const projects = [
  ["tsconfig.build.json", "dist"],
  ["examples/quickstart/tsconfig.json", "examples/quickstart/dist"],
  ["examples/guarded/tsconfig.json", "examples/guarded/dist"],
];
/** Says what the folders hold and from what it was compiled; beside them, since all in dist/ is published. */
const stamp = join(root, "node_modules/.fingerpost-build");
const apart = new Set([
  "application/middleware.js",
  "application/native.js",
  "application/polyfill.js",
  "dispatch/replaced-input.js",
  "http/message/content-reader.js",
  "http/message/event-stream.js",
  "http/protocol/host.js",
  "http/message/imitation.js",
  "http/javascript/end-at.js",
  "http/javascript/option-check.js",
  "http/message/quiet-content.js",
  "http/message/response.js",
  "http/message/server-sent-event.js",
  "http/message/shared-content.js",
  "sockets/client-socket.js",
  "sockets/close-frame.js",
  "sockets/connected-peer.js",
  "sockets/connection.js",
  "sockets/connecting.js",
  "sockets/handshake.js",
  "sockets/hibernation.js",
  "sockets/in-memory.js",
  "sockets/kept-socket.js",
  "sockets/kept-topics.js",
  "sockets/messages.js",
  "sockets/peer.js",
  "sockets/pulse.js",
  "sockets/shared-topics.js",
  "sockets/socket-options.js",
  "sockets/standard-wire.js",
  "sockets/switching.js",
]);
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== state()) {
  rmSync(stamp, { force: true });
  for (const [project, output] of projects) {
    rmSync(root + output, { recursive: true, force: true });
    execFileSync(process.execPath, [compiler, "-p", project], { cwd: root, stdio: "inherit" });
  }
  await shortenPage();
  await mergeCore();
  writeFileSync(stamp, state());
}

/** Shortens the script that each page of `openapi()` carries: its names are for those who read the source. */
async function shortenPage() {
  const file = join(dist, "openapi/page-script.js");
  const { script } = await import(pathToFileURL(file).href);
  const { code } = transformSync(script, { minify: true, target: "es2022" });
  writeFileSync(file, `export const script = ${JSON.stringify(code)};\n`);
}

/** One text for all files that go into the folders, what says how they are compiled, and what came out. */
function state() {
  const hash = createHash("sha256");
  const settings = readdirSync(root).filter((name) => /^(?:tsconfig|package).*\.json$/.test(name));
  const folders = ["src", "dist", "examples/quickstart", "examples/guarded"];
  for (const file of [...settings, "scripts/build/build.js", ...folders.flatMap(filesOf)].toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function filesOf(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/**
 * Puts the rooms that every entry needs into one file, `dist/core.js`: a program starts in two thirds of the time when
 * Node has not to find thirty (decisions/026). What registers itself as it loads stays apart, for bundlers to leave it
 * out, and so does what only middleware and servers need.
 */
async function mergeCore() {
  const files = readdirSync(dist, { recursive: true }).map(normalize);
  const scripts = files.filter((file) => file.endsWith(".js"));
  const shared = scripts.filter(isShared);
  refuseEqualNames(shared);
  const { metafile } = await build({
    stdin: { contents: shared.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: dist },
    outfile: join(dist, "core.js"),
    metafile: true,
    absWorkingDir: dist,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  });
  // There would be two of it, and what one of them made would be strange to the other.
  const twice = Object.keys(metafile.inputs).filter((file) => apart.has(file));
  if (twice.length > 0) throw new Error(`dist/core.js holds what stays apart: ${twice.join(", ")}`);
  for (const file of shared) rmSync(join(dist, file));
  for (const file of scripts.filter((other) => !isShared(other))) {
    const path = relative(dirname(file), "core.js");
    const core = path.startsWith(".") ? path : `./${path}`;
    const text = readFileSync(join(dist, file), "utf8").replace(/(?<=\bfrom ")\.[^"]+(?=")/g, (from) =>
      isShared(join(dirname(file), from)) ? core : from,
    );
    writeFileSync(join(dist, file), text);
  }
}

/** A name that two files export would be in neither form in the one file: `export *` leaves it out, without a word. */
function refuseEqualNames(files) {
  const owners = new Map();
  for (const file of files) {
    const text = readFileSync(join(dist, file), "utf8");
    for (const [, name] of text.matchAll(/^export (?:async )?(?:class|const|function\*?|let) (\w+)/gm)) {
      if (owners.has(name)) throw new Error(`${name} is exported by ${owners.get(name)} and ${file}: rename one`);
      owners.set(name, file);
    }
  }
}

function isShared(file) {
  return /^(?:http|routing|dispatch|application|sockets)\//.test(file) && !apart.has(file);
}
