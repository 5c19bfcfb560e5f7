// Checks who imports whom: rooms depend downward only, without cycles; the chains and all they import have no
// dependency. Only entries re-export. Only hosts/ tells runtimes from each other. AGENTS.md and ARCHITECTURE.md list
// the same rooms. With a folder, looks at the sources there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

const root = process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url));
const src = join(root, "src");
/** What stands below the rooms of declared operations. */
const foundation = ["application", "dispatch", "fields", "http", "routing"];
/** A row for each room. Of a room with layers a row may name one layer: more of that room is closed to it. */
const mayImport = {
  http: ["http"],
  routing: ["routing"],
  fields: ["fields", "http"],
  dispatch: ["dispatch", "http", "routing"],
  // What validation libraries agree on, and values, texts and answers read by it.
  "json-schema": ["json-schema", "fields", "http"],
  // Keys, records and leases, for the semantics chain as for middleware.
  writes: ["writes", "formats", "fields", "http", "routing"],
  sockets: ["sockets", "dispatch", "routing", "fields", "http"],
  // Readers of forms, of lines and of cursors, for the semantics chain as for the others.
  formats: ["formats", "json-schema", "dispatch", "fields", "http", "routing"],
  // What an application has to know of each runtime.
  hosts: ["hosts", "sockets", "dispatch", "routing", "http"],
  application: ["application", "hosts", "sockets", "dispatch", "http", "routing"],
  semantics: ["semantics", "formats", "writes", "json-schema", "sockets", ...foundation],
  // Documents are written from the model, and know neither how operations are declared nor how they are performed.
  openapi: ["openapi", "semantics/operation", "json-schema", ...foundation],
  client: ["client", "semantics/declaration", "json-schema", "sockets", ...foundation],
  modules: [
    "semantics",
    "content",
    "middleware",
    "formats",
    "json-schema",
    "sockets",
    "application",
    "dispatch",
    "http",
    "routing",
  ],
  middleware: ["middleware", "fields", "application", "dispatch", "http"],
  state: ["state", "hosts", "middleware", "writes", "json-schema", "fields", "application", "dispatch", "http"],
  content: ["content", "formats", "hosts", "json-schema", "sockets", "fields", "application", "dispatch", "http"],
  servers: ["servers", "application", "sockets", "dispatch", "http"],
  mock: ["mock", "formats", "openapi", "state", "writes", "semantics", "json-schema", ...foundation],
  // Tools of agents: operations as they are described, called by the paths that clients fill.
  agents: ["agents", "openapi", "client", "semantics/operation", "json-schema", ...foundation],
  cli: ["cli", "agents", "mock.ts", "servers", "openapi", "state", "application", "dispatch", "routing", "http"],
};
/** What a room may know the types of, and nothing that runs. */
const ofTypes = { client: ["semantics/declaration", "json-schema"] };
/**
 * Layers of a room, from the bottom up: their files import what is in their own and in those before it, and nothing
 * else of the room.
 */
const layers = {
  http: ["javascript", "protocol", "answer", "message"],
  "json-schema": ["value", "shape", "text", "library", "answer"],
  semantics: ["declaration", "operation", "line"],
};
/** What is not ours and may be imported, by a room or a folder in it. */
const external = {
  servers: /^(?:node:|ws$)/,
  "content/folder": /^node:/,
  "content/uploads/disk.ts": /^node:/,
  mock: /^json-schema-faker$/,
  "state/sessions": /^jose$/,
  agents: /^@modelcontextprotocol\/server$/,
  cli: /^(?:node:|recheck$)/,
  middleware: /^(?:jose|rate-limiter-flexible|@opentelemetry\/api)$/,
};

/** Names by which a program tells runtimes from each other. */
const runtimes = new Set(["Bun", "Deno", "WebSocketPair", "userAgent"]);
/**
 * Traits of an engine, in rooms that know no host. Each costs what it says: a comparison of a slice is 2 to 4 times
 * faster on V8, and a request takes 15 us with the light response, 35 with that of the platform.
 */
const traits = new Set(["routing/index/literal-table.ts", "http/message/response.ts"]);

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const built = Object.values(exports).flatMap(({ default: target }) => target ?? []);
const entries = new Set(built.map((target) => normalize(target.replace(/^\.\/dist\/(.+)\.js$/, "$1.ts"))));

/** All nodes that name another module: statements, with or without names, and `import()` of values and of types. */
function importsIn(node) {
  if (typeof node !== "object" || node === null) return [];
  const own = typeof node.source?.type === "string" ? [node] : [];
  return [...own, ...Object.values(node).flatMap(importsIn)];
}

/** Returns whether a name or a literal of a program is one of a runtime. Types count. */
function namesRuntime(node) {
  if (typeof node !== "object" || node === null) return false;
  if (runtimes.has(node.type === "Identifier" ? node.name : node.type === "Literal" ? node.value : null)) return true;
  return Object.values(node).some(namesRuntime);
}

const faults = [];
const graph = new Map();
for (const file of readdirSync(src, { recursive: true }).map(normalize)) {
  if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
  const isEntry = !/[\\/]/.test(file);
  // An entry outside of the rooms is named after its own.
  const room = file.replace(/\.ts$/, "").split(/[\\/]/)[0];
  const path = file.replaceAll("\\", "/");
  graph.set(file, []);
  const program = parseAst(readFileSync(join(src, file), "utf8"), { lang: "ts" });
  if (room !== "hosts" && !traits.has(path) && namesRuntime(program))
    faults.push(`${file} asks which runtime it runs on: hosts/ has a file for each, and Host a member for the answer`);
  for (const { type, source, importKind } of importsIn(program)) {
    const isReExport = type.startsWith("Export");
    // What an entry has must be seen in it.
    const isByName = type === "ExportNamedDeclaration";
    if (isReExport && room !== "modules" && !isEntry && !(isByName && entries.has(file)))
      faults.push(`${file} re-exports; only modules/ may, and other entries by name`);
    const from = source.value;
    if (typeof from !== "string") {
      // The module of the user that the command line is given.
      if (room !== "cli") faults.push(`${file} imports what is not known before it runs`);
      continue;
    }
    if (!from.startsWith(".")) {
      const allowed = external[path] ?? external[dirname(path)] ?? external[room];
      if (!allowed?.test(from)) faults.push(`${file} imports ${from}`);
      continue;
    }
    const target = relative(src, join(src, dirname(file), from));
    graph.get(file).push(target);
    const isAllowed = mayImport[room]?.some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
    if (!isAllowed)
      faults.push(`${file} imports ${target}: ${room} may import only ${mayImport[room]?.join(", ") ?? "nothing"}`);
    const isTyped = ofTypes[room]?.some((typed) => target.startsWith(`${typed}/`)) === true;
    if (isTyped && importKind !== "type")
      faults.push(`${file} imports ${target}: ${room} may import only types of ${ofTypes[room].join(", ")}`);
    const [folders, folder] = [layers[room] ?? [], file.split("/")[1]];
    const below = folders.slice(0, folders.indexOf(folder) + 1);
    if (folders.includes(folder) && target.startsWith(`${room}/`) && !below.includes(target.split("/")[1]))
      faults.push(`${file} imports ${target}: ${room}/${folder} may import only ${below.join(", ")} of ${room}`);
    if (!from.endsWith(".ts")) faults.push(`${file} imports ${from} without its extension`);
  }
}

const rooms = Object.keys(mayImport);
for (const room of new Set([...graph.keys()].map((file) => file.replace(/\.ts$/, "").split(/[\\/]/)[0])))
  if (!rooms.includes(room)) faults.push(`src/${room} is no room: give it a row in scripts/check/imports.js`);

/** Pages that list the rooms. A folder of sources in a test may lack them. */
const pageOf = (name) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : null);
const pages = { architecture: pageOf("ARCHITECTURE.md"), agents: pageOf("AGENTS.md") };

/** Names in a page beside the names that it has to have: each of them once. */
function compareNames(page, found, wanted) {
  const times = (name) => found.filter((one) => one === name).length;
  for (const name of wanted) if (times(name) !== 1) faults.push(`${page} has ${name} ${times(name)} times; once`);
  for (const name of found) if (!wanted.includes(name)) faults.push(`${page} has ${name}, which does not exist`);
}

if (pages.agents !== null) {
  const rows = pages.agents.match(/^\|.*`src\/.*$/gm)?.join("\n") ?? "";
  const found = [...rows.matchAll(/`src\/([^`]+)`/g)].map(([, room]) => room);
  compareNames("The table of AGENTS.md", found, rooms);
}
if (pages.architecture !== null) {
  // What is not ours may follow in a row.
  for (const [room, allowed] of Object.entries(mayImport)) {
    const others = allowed.filter((one) => one !== room).toSorted();
    const row = `| \`${room}\` | ${others.map((one) => `\`${one}\``).join(", ") || "only files of its own"}`;
    if (!pages.architecture.includes(`${row} |`) && !pages.architecture.includes(`${row}; also `))
      faults.push(`ARCHITECTURE.md lacks the row: ${row} |`);
  }
  const [, table = ""] = /\n\| folder \| may import \|\n([^]*?)\n\n/.exec(pages.architecture) ?? [];
  const inTable = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, room]) => room);
  compareNames("The table of imports in ARCHITECTURE.md", inTable, rooms);
  const [, tree = ""] = /\nsrc\/\n([^]*?)```/.exec(pages.architecture) ?? [];
  const inTree = [...tree.matchAll(/^[├└]── ([\w-]+)(?:\/|\.ts)/gm)].map(([, room]) => room);
  compareNames("The tree of ARCHITECTURE.md", inTree, rooms);
  for (const [room, folders] of Object.entries(layers)) {
    const [, own = ""] = new RegExp(`^[├└]── ${room}/.*\\n((?:[│ ]   .*\\n)*)`, "m").exec(tree) ?? [];
    const inOwn = [...own.matchAll(/[├└]── ([\w-]+)\//g)].map(([, folder]) => folder);
    if (inOwn.join() !== folders.join())
      faults.push(`The tree of ARCHITECTURE.md has ${inOwn.join(", ")} in ${room}; ${folders.join(", ")}`);
  }
}

const done = new Set();
function visit(file, path) {
  if (path.includes(file)) faults.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(" -> ")}`);
  else if (!done.has(file)) {
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  }
}
for (const file of graph.keys()) visit(file, []);

/** Folders that import one another, by whichever files. Entries stand above the folders of their rooms. */
const folders = new Map();
for (const [file, targets] of graph) {
  const own = folderOf(file);
  const others = targets.map(folderOf).filter((folder) => folder !== own);
  folders.set(own, new Set([...(folders.get(own) ?? []), ...others]));
}
function folderOf(file) {
  return entries.has(file) ? file : dirname(file).replaceAll("\\", "/");
}
const doneFolders = new Set();
function visitFolder(folder, path) {
  if (path.includes(folder))
    faults.push(`cycle of folders: ${[...path.slice(path.indexOf(folder)), folder].join(" -> ")}`);
  else if (!doneFolders.has(folder)) {
    for (const next of folders.get(folder) ?? []) visitFolder(next, [...path, folder]);
    doneFolders.add(folder);
  }
}
for (const folder of folders.keys()) visitFolder(folder, []);

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log(`imports: ${graph.size} files, downward only, no cycles, no dependencies`);
