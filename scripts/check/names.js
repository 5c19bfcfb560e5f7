// Checks names in src: no two files have one name, and no name has a word that the house leaves to others. A file of
// the package's exports has the name that users import.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Words that names do not have, with what they say instead. */
const words = new Map([
  ["controller", "resource"],
  ["endpoint", "resource"],
  ["route", "path pattern"],
  ["view", "resource"],
  ["verb", "method"],
  ["action", "handler"],
  ["callback", "handler, or what it does"],
  ["door", "module"],
  ["placeholder", "param"],
  ["wildcard", "rest"],
  ["slug", "param"],
  ["edge", "node"],
  ["leaf", "terminal"],
  ["draft", "builder, or what is built"],
  ["tail", "rest, or static end"],
  ["placement", "mounted resource"],
  ["respond", "answer"],
  ["spec", "declaration"],
  ["config", "declaration, or options"],
  ["payload", "content"],
  ["mime", "media type"],
  ["req", "input, or request"],
  ["ctx", "context"],
  ["pulse", "heartbeat"],
]);

/** `fingerpost routes` is a command: it is what users type. A view of bytes is what the platform calls it. */
const typed =
  /^(?:cli\/routes\.ts$|cli\/run\.ts: routes$|cli\/routes\.ts: routes(?:Of|Text)?$)|^http\/javascript\/bytes\.ts: BytesView$/;

/** What is wrong with the names of sources, given by their places below src, and of what they declare. */
export function faultsOfNames(sources, entries) {
  const faults = [];
  const places = new Map();
  for (const file of sources.keys()) places.set(basename(file), [...(places.get(basename(file)) ?? []), file]);
  for (const [name, files] of places)
    if (files.filter((file) => !entries.has(file)).length > (files.some((file) => entries.has(file)) ? 0 : 1))
      faults.push(`${files.join(" and ")}: two files are ${name}; name each after what it has`);
  for (const [file, text] of sources) {
    for (const name of [basename(file, ".ts"), ...declaredIn(text)]) {
      const place = name === basename(file, ".ts") ? file : `${file}: ${name}`;
      for (const part of partsOf(name)) {
        const word = words.has(part) ? part : part.replace(/s$/, "");
        if (words.has(word) && !typed.test(place)) faults.push(`${place}: say ${words.get(word)}, not ${word}`);
      }
    }
  }
  return faults;
}

/** The names of classes, functions, types, constants and variables of a source. */
function declaredIn(text) {
  const code = text
    .replace(/\/\*[^]*?\*\/|^(?:import|export) (?:type )?\{[^}]*\} from [^;]+;/gm, "")
    .replace(/(?<!:)\/\/.*$/gm, "");
  const names = code.matchAll(/\b(?:class|function\*?|interface|type|const|let)\s+([A-Za-z_$][\w$]*)/g);
  return new Set([...names].map(([, name]) => name));
}

function partsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3-$2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

function check() {
  const files = readdirSync(join(root, "src"), { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !/\.test(?:-d)?\.ts$/.test(file));
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, "src", file), "utf8")]));
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = Object.values(exports).flatMap(({ default: file }) => file ?? []);
  const faults = faultsOfNames(
    sources,
    new Set(entries.map((file) => file.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts"))),
  );
  for (const fault of faults) console.error(fault);
  console.log(`names: ${files.length} files, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) check();
