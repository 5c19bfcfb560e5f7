// Checks who imports whom: rooms depend downward only, without cycles; the doors and all they import have no dependency.
// Only doors re-export, and other entries types.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

const src = fileURLToPath(new URL("../src", import.meta.url));
const mayImport = {
  http: ["http"],
  routing: ["routing"],
  core: ["core", "http", "routing"],
  modules: ["core", "http", "routing"],
  fields: ["fields", "http"],
  middleware: ["middleware", "fields", "core", "http"],
  servers: ["servers", "core/error-response.ts", "core/input.ts", "http"],
  cli: ["cli", "core", "routing", "http"],
};
const external = {
  servers: /^node:/,
  cli: /^(?:node:|recheck$)/,
  middleware: /^(?:jose|rate-limiter-flexible|@opentelemetry\/api)$/,
};

const { exports } = JSON.parse(readFileSync(join(src, "../package.json"), "utf8"));
const entries = new Set(Object.keys(exports).map((entry) => normalize(entry).replace(/\.js$/, ".ts")));

const faults = [];
const graph = new Map();
for (const file of readdirSync(src, { recursive: true }).map(normalize)) {
  if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
  const room = file.split(/[\\/]/)[0];
  const text = readFileSync(join(src, file), "utf8");
  graph.set(file, []);
  for (const [, from] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)";/gm)) {
    if (!from.startsWith(".")) {
      if (!external[room]?.test(from)) faults.push(`${file} imports ${from}`);
      continue;
    }
    const target = relative(src, join(src, dirname(file), from));
    graph.get(file).push(target);
    const isAllowed = mayImport[room]?.some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
    if (!isAllowed) faults.push(`${file} imports ${target}: ${room} may import only ${mayImport[room]?.join(", ")}`);
    if (!from.endsWith(".ts")) faults.push(`${file} imports ${from} without its extension`);
  }
  if (room === "modules") continue;
  const reExports = text.match(/^export\s*(?:type\s*)?(?:\*|\{[^}]*\})\s*from\b/gm) ?? [];
  if (!reExports.every((line) => entries.has(file) && line.startsWith("export type {")))
    faults.push(`${file} re-exports; only modules/ may, and other entries types`);
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

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log(`imports: ${graph.size} files, downward only, no cycles, no dependencies`);
