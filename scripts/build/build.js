// Compiles the package to dist/, and the examples to dist/ in their folders, from nothing; and does nothing where they
// were compiled from the same files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transform, transformSync } from "esbuild";

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
  "application/application-finder.js",
  "application/middleware.js",
  "application/native-application.js",
  "application/native.js",
  "application/polyfill.js",
  "dispatch/replaced-input.js",
  "http/message/content-reader.js",
  "http/message/event-stream.js",
  "http/protocol/asked-store.js",
  "http/protocol/host.js",
  "http/protocol/limited-store.js",
  "http/protocol/store-outage.js",
  "http/protocol/store-timeout.js",
  "http/message/imitation.js",
  "http/javascript/end-at.js",
  "http/javascript/option-check.js",
  "http/message/quiet-content.js",
  "http/message/response.js",
  "http/message/resumed-content.js",
  "http/message/response-head.js",
  "http/message/server-sent-event.js",
  "http/message/shared-content.js",
  "routing/pattern/filled-path.js",
  "sockets/client-socket.js",
  "sockets/close-frame.js",
  "sockets/connected-peer.js",
  "sockets/connection.js",
  "sockets/connecting.js",
  "sockets/handshake.js",
  "sockets/heartbeat.js",
  "sockets/hibernation.js",
  "sockets/in-memory.js",
  "sockets/kept-socket.js",
  "sockets/kept-topics.js",
  "sockets/messages.js",
  "sockets/peer.js",
  "sockets/shared-topics.js",
  "sockets/socket-options.js",
  "sockets/standard-wire.js",
  "sockets/switching.js",
]);
/**
 * What stays apart although declared operations load it. Bundlers leave it out as a file only: either they do not know
 * that what it does when it is loaded has no effect, or it would lead to other files that few applications need.
 * Clients load one of them.
 */
const alone = new Set([
  "fields/http-date.js",
  "http/message/event-stream.js",
  "http/message/server-sent-event.js",
  "routing/pattern/filled-path.js",
  "semantics/form.js",
  "semantics/line/form-reader.js",
  "sockets/close-frame.js",
  "sockets/messages.js",
]);
/** What declared operations load by need. Each file that is loaded so makes bundlers split what it shares. */
const needed = [
  "formats/multipart/form-entries.js",
  "formats/multipart/stored-content.js",
  "semantics/connected.js",
  "semantics/explained.js",
  "semantics/line/keyed-write.js",
  "semantics/line/line-trace.js",
];
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== state()) {
  rmSync(stamp, { force: true });
  for (const [project, output] of projects) {
    rmSync(root + output, { recursive: true, force: true });
    execFileSync(process.execPath, [compiler, "-p", project], { cwd: root, stdio: "inherit" });
  }
  await shortenPage();
  await mergeFiles();
  await Promise.all(scripts().map(dropComments));
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
 * Drops comments that have lines of their own: a program holds the text of what it loads. Declarations keep theirs, and
 * licenses and what is said to bundlers stay.
 */
async function dropComments(file) {
  const text = textOf(file);
  const shorter = text.replace(/^[ \t]*(?:\/\*\*[^]*?\*\/|\/\/.*)\n/gm, "");
  const [before, after] = await Promise.all([text, shorter].map((one) => transform(one, { minifyWhitespace: true })));
  // Lines of a text that is part of the code may look like comments.
  if (before.code === after.code) writeFileSync(join(dist, file), shorter);
}

/**
 * Puts files that are needed together into one: a program starts in two thirds of the time when Node has not to find
 * thirty (decisions/026).
 *
 * - `core.js` has the rooms that every entry needs.
 * - `shared.js` has what declared operations share with middleware and content.
 * - `uploads.js` has what reads forms and files.
 * - `operations.js` has what is read of declarations: documents need it, too.
 * - `semantics.js` has the rest of what declared operations need. No other application loads it.
 *
 * What registers itself as it loads stays apart, for bundlers to leave it out, and what is loaded by need.
 */
async function mergeFiles() {
  await mergeInto("core.js", scripts().filter(isCore));
  const native = reachedFrom("modules/http.native.js");
  const entry = "modules/http.semantics.js";
  const reached = [...reachedFrom(entry)].filter((file) => !native.has(file) && !alone.has(file) && file !== entry);
  const ofReached = { "shared.js": [], "uploads.js": [], "operations.js": [], "semantics.js": [] };
  for (const file of reached) ofReached[sharedBy(file)].push(file);
  for (const [output, files] of Object.entries(ofReached)) await mergeInto(output, files);
  await mergeInto("needed.js", needed);
}

/** The file that takes another one in. */
function sharedBy(file) {
  if (/^json-schema\/(?:answer|library|text)\//.test(file)) return "operations.js";
  if (/^semantics\/(?:declaration|operation)\//.test(file)) return "operations.js";
  if (file.startsWith("semantics/")) return "semantics.js";
  // What removes files, and tells sinks, is needed wherever files may be.
  const isOfUploads = /^formats\/multipart\/(?!discards\.|sink\.)/.test(file);
  return isOfUploads ? "uploads.js" : "shared.js";
}

/** Makes one file of several. */
async function mergeInto(output, files) {
  refuseEqualNames(files);
  const merged = new Set(files);
  const classes = new Set(
    files.flatMap((file) => [...textOf(file).matchAll(/\bclass (\w+)/g)].map(([, name]) => name)),
  );
  const { metafile } = await build({
    stdin: { contents: files.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: dist },
    outfile: join(dist, output),
    metafile: true,
    absWorkingDir: dist,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
    plugins: [othersApart(merged, classes)],
  });
  // The engine holds a text with one of them in two bytes a character.
  const [wide] = /[^\0-\xff]/.exec(textOf(output)) ?? [];
  if (wide !== undefined) throw new Error(`dist/${output} has ${JSON.stringify(wide)}: write it as an escape`);
  // Messages have the names of classes.
  for (const [, ...found] of textOf(output).matchAll(/^var (\w+) = class\b|\bclass (\w+) (?:extends|\{)/gm)) {
    const name = found.join("");
    if (!classes.has(name))
      throw new Error(`dist/${output} has a class ${name}, which no source has: rename one of two that have one name`);
  }
  for (const file of files) rmSync(join(dist, file));
  for (const file of scripts()) {
    if (file === output) continue;
    const path = posix(relative(dirname(file), output));
    const text = textOf(file).replace(/(?<=\b(?:from |import\()")\.[^"]+(?=")/g, (from) =>
      merged.has(posix(join(dirname(file), from))) ? (path.startsWith(".") ? path : `./${path}`) : from,
    );
    writeFileSync(join(dist, file), text);
  }
  const around = metafile.outputs[output].imports.find(
    ({ path, kind }) => kind === "import-statement" && reachedFrom(posix(join(path))).has(output),
  );
  if (around !== undefined) throw new Error(`dist/${output} imports ${around.path}, which imports it`);
}

/**
 * Leaves other files out of a bundle. Each is imported once, whichever of the files import it: else each of them would
 * have another name for what it imports.
 */
function othersApart(merged, classes) {
  return {
    name: "others apart",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, namespace, kind }) => {
        const file = posix(relative(dist, join(resolveDir, path)));
        if (merged.has(file)) return undefined;
        const isWhole = namespace === "apart" || kind === "dynamic-import";
        return isWhole ? { path: `./${file}`, external: true } : { path: file, namespace: "apart", sideEffects: false };
      });
      onLoad({ filter: /./, namespace: "apart" }, ({ path }) => {
        // A class of one of the files keeps its name.
        const names = [...importedFrom(path, merged)].map((name) => [name, classes.has(name) ? `Other${name}` : name]);
        const imported = names.map(([name, here]) => (name === here ? name : `${name} as ${here}`)).join(", ");
        const exported = names.map(([name, here]) => (name === here ? name : `${here} as ${name}`)).join(", ");
        return { contents: `import { ${imported} } from "./${path}"; export { ${exported} };`, resolveDir: dist };
      });
    },
  };
}

/** The names that some files import of another one. */
function importedFrom(other, files) {
  const names = new Set();
  for (const file of files) {
    for (const [, list, from] of textOf(file).matchAll(/^import \{([^}]*)\} from "(\.[^"]+)"/gm)) {
      if (posix(join(dirname(file), from)) !== other) continue;
      for (const [name] of list.matchAll(/\w+(?: as \w+)?/g)) names.add(name.split(" ")[0]);
    }
  }
  return names;
}

/** The files that a file loads before it runs, and itself. */
function reachedFrom(file) {
  const reached = new Set([file]);
  for (const one of reached) {
    for (const [, from] of textOf(one).matchAll(/^(?:import|export) [^"']*?from "(\.[^"]+)"/gm))
      reached.add(posix(join(dirname(one), from)));
  }
  return reached;
}

function scripts() {
  const files = readdirSync(dist, { recursive: true }).map(posix);
  return files.filter((file) => file.endsWith(".js")).toSorted();
}

function textOf(file) {
  return readFileSync(join(dist, file), "utf8");
}

function posix(path) {
  return path.replaceAll("\\", "/");
}

/** A name that two files export would be in neither form in the one file: `export *` leaves it out, without a word. */
function refuseEqualNames(files) {
  const owners = new Map();
  for (const file of files) {
    for (const name of exportedBy(file)) {
      if (owners.has(name)) throw new Error(`${name} is exported by ${owners.get(name)} and ${file}: rename one`);
      owners.set(name, file);
    }
  }
}

/** The names that a file exports. */
function exportedBy(file) {
  const text = textOf(file);
  const declared = [...text.matchAll(/^export (?:async )?(?:class|const|function\*?|let) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(
    ([, list]) => list.match(/\w+(?=\s*(?:,|$))/g) ?? [],
  );
  return [...declared, ...listed];
}

function isCore(file) {
  return /^(?:http|routing|dispatch|application|hosts|sockets)\//.test(file) && !apart.has(file);
}
