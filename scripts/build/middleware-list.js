// Writes what follows from the files of src/middleware/ and docs/middleware/: the entries of package.json, and the list
// of docs/writing-middleware.md. `npm run api` runs it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (file) => readFileSync(join(root, file), "utf8");

/** What each file that follows from the middleware of the package must be. */
export function filesOfMiddleware() {
  const names = readdirSync(join(root, "src/middleware")).flatMap((file) => /^([^.]+)\.ts$/.exec(file)?.[1] ?? []);
  return new Map([
    ["package.json", withEntries(textOf("package.json"), names.toSorted())],
    ["docs/writing-middleware.md", withList(textOf("docs/writing-middleware.md"), names.toSorted())],
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

/** The list says of each what its page begins with. */
function withList(text, names) {
  const rows = names.map((name) => {
    const [, introduction] = /^# .*\n\n([^]*?)\n\n/.exec(textOf(`docs/middleware/${name}.md`));
    const plain = introduction.replaceAll("\n", " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const [first] = /^.*?\.(?= |$)/.exec(plain);
    return `| [\`${name}\`](middleware/${name}.md) | ${first} | ${/\ball modules\b/i.test(plain) ? "yes" : "no"} |\n`;
  });
  return text.replace(
    /(?<=<!-- Made by npm run api from docs\/middleware\/\. -->\n\n(?:\|.*\n){2})(?:\|.*\n)*/,
    rows.join(""),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of filesOfMiddleware()) writeFileSync(join(root, file), text);
}
