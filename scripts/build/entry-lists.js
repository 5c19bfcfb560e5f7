// Writes what follows from the files of src/middleware/ and docs/middleware/, which are entries of package.json and a
// list in docs/writing-middleware.md; from tests/runtimes/package.json, a table of docs/stability.md; and from all
// entries of package.json, which tsconfig.json and knip.json name. `npm run api` runs it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (file) => readFileSync(join(root, file), "utf8");

/** Middleware that only the native chain takes, and that its entry for content has. */
const ofNative = new Set(["conditional", "negotiate"]);

/** What each file that follows from the middleware and the entries of the package must be. */
export function filesOfEntries() {
  const names = readdirSync(join(root, "src/middleware")).flatMap((file) => /^([^.]+)\.ts$/.exec(file)?.[1] ?? []);
  const own = names.filter((name) => !ofNative.has(name));
  const manifest = withEntries(textOf("package.json"), own.toSorted());
  const sources = sourcesOf(JSON.parse(manifest).exports);
  return new Map([
    ["package.json", manifest],
    ["docs/writing-middleware.md", withList(textOf("docs/writing-middleware.md"), names.toSorted())],
    ["docs/stability.md", withRuntimes(textOf("docs/stability.md"))],
    ["tsconfig.json", withPaths(textOf("tsconfig.json"), sources)],
    ["knip.json", withSources(textOf("knip.json"), sources)],
  ]);
}

/** Each middleware is exported by a short name, and by that of its file, where the others are. */
function withEntries(text, names) {
  const manifest = JSON.parse(text);
  const entries = {};
  for (const [key, target] of Object.entries(manifest.exports)) {
    const [, ending] = /^\.\/middleware\/[^.]+(.*)$/.exec(key) ?? [];
    if (ending === undefined) entries[key] = target;
    else for (const name of names) entries[`./middleware/${name}${ending}`] = entryOf(`./dist/middleware/${name}`);
  }
  return `${JSON.stringify({ ...manifest, exports: entries }, null, 2)}\n`;
}

const entryOf = (file) => ({ types: `${file}.d.ts`, default: `${file}.js` });

/** The source of each entry, by the name that it is imported by. */
export function sourcesOf(exports) {
  const compiled = Object.entries(exports).filter(([, target]) => typeof target !== "string");
  return new Map(
    compiled.map(([key, { default: file }]) => [
      `fingerpost${key.slice(1)}`,
      file.replace("./dist/", "./src/").replace(/\.js$/, ".ts"),
    ]),
  );
}

/** The page says what the nightly run tests on: what is installed for it. */
function withRuntimes(text) {
  const { dependencies } = JSON.parse(textOf("tests/runtimes/package.json"));
  const names = { bun: "Bun", deno: "Deno", workerd: "Cloudflare Workers (workerd)" };
  const rows = Object.entries(dependencies).flatMap(([name, range]) => {
    const [, node] = /^node(\d+)$/.exec(name) ?? [];
    const runtime = node === undefined ? names[name] : `Node ${node}`;
    const promise = node === "20" ? "no: its own support ended in April 2026" : "yes";
    return runtime === undefined ? [] : [`| ${runtime} | ${range.replace("npm:node@", "")} | ${promise} |\n`];
  });
  return text.replace(/(?<=\| runtime \| tested \| promised \|\n(?:\|---)+\|\n)(?:\|.*\n)*/, () => rows.join(""));
}

/** A name that is not that of its file has a path of its own. */
function withPaths(text, sources) {
  const named = [...sources].filter(([name, source]) => source !== name.replace("fingerpost", "./src") + ".ts");
  const own = named.filter(([name]) => !name.endsWith(".js"));
  const paths = [...own, ["fingerpost/*.js", "./src/*.ts"], ["fingerpost/*", "./src/*.ts"]];
  const lines = paths.map(([name, source]) => `      "${name}": ["${source}"]`);
  return text.replace(/(?<="paths": \{\n)[^}]*(?=\n {4}\})/, lines.join(",\n"));
}

/** Files that nothing of ours needs to import. Those of middleware are named by a pattern. */
function withSources(text, sources) {
  const files = [...new Set(sources.values())].map((file) => file.slice(2));
  const lines = files.filter((file) => !file.startsWith("src/middleware/")).map((file) => `    "${file}!",\n`);
  return text.replace(/(?: {4}"src\/(?!middleware\/|cli\/).*\n)+/, lines.join(""));
}

/** The list says of each what its page begins with. */
function withList(text, names) {
  const rows = names.map((name) => {
    const page = textOf(`docs/middleware/${name}.md`);
    const [, introduction] = /^# .*\n\n([^]*?)\n\n/.exec(page);
    const plain = introduction.replaceAll("\n", " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const [first] = /^.*?\.(?= |$)/.exec(plain);
    const effect = first.replace(/^Use `\w+\(\)` to (\w)/, (_, letter) => letter.toUpperCase());
    const isOfPolyfill = /^Works with: .*polyfill/m.test(page);
    return `| [\`${name}\`](middleware/${name}.md) | ${effect} | ${isOfPolyfill ? "yes" : "no"} |\n`;
  });
  return text.replace(
    /(?<=<!-- Made by npm run api from docs\/middleware\/\. -->\n\n(?:\|.*\n){2})(?:\|.*\n)*/,
    rows.join(""),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of filesOfEntries()) writeFileSync(join(root, file), text);
}
