// Builds the documentation site to docs/dist/; a warning or a dead link is a failure. `--dev` serves it instead.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deadLinks } from "../check/dead-links.js";
import { apiPages, titleOf } from "./api-pages.js";
import { install } from "./install.js";
import { sitePage } from "./site-pages.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = join(root, "docs");
const site = join(docs, ".site");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [, repository] = /^git\+(.+)\.git$/.exec(manifest.repository.url);

install(docs, "VitePress");

rmSync(site, { recursive: true, force: true });
const pages = readdirSync(docs).filter(
  (name) => /^(?!package|README)[^.]+(?:\.md)?$/.test(name) && !/^(?:node_modules|dist|diagrams)$/.test(name),
);
const others = [
  "decisions",
  "bench/README.md",
  "bench/results",
  "CHANGELOG.md",
  "SECURITY.md",
  "tests/contract.md",
  "tests/hostile-targets.md",
];
for (const source of [...pages.map((name) => join("docs", name)), ...others]) {
  if (existsSync(join(root, source))) cpSync(join(root, source), join(site, source), { recursive: true });
}
cpSync(join(docs, ".vitepress/public"), join(site, "public"), { recursive: true });
// The index has another name in the repository, so a link to edit it would lead nowhere.
const index = readFileSync(join(site, "decisions/README.md"), "utf8");
rmSync(join(site, "decisions/README.md"));
writeFileSync(join(site, "decisions/index.md"), `---\neditLink: false\n---\n\n${index}`);

const { pages: reference, entries, items, places } = apiPages();
const faults = items
  .filter(({ shownBy }) => shownBy === null)
  .map(({ name, entry }) => `${name} of ${entry.specifier} has no example, and nothing that has one speaks of it`);

const shortNames = new Map(
  Object.entries(manifest.exports).flatMap(([name, { types }]) => {
    const entry = entries.find((one) => one.types === types);
    return entry === undefined ? [] : [[`fingerpost${name.slice(1)}`, entry.specifier]];
  }),
);
const api = { entries, places, titleOf, shortName: (name) => shortNames.get(name) };
const known = (file) => existsSync(join(site, file));
for (const page of readdirSync(site, { recursive: true }).filter((file) => file.endsWith(".md"))) {
  const text = readFileSync(join(site, page), "utf8");
  writeFileSync(join(site, page), sitePage(page.replaceAll("\\", "/"), text, { root, known, repository, api }));
}
for (const [page, text] of reference) {
  mkdirSync(dirname(join(site, page)), { recursive: true });
  writeFileSync(join(site, page), text);
}

const vitepress = join(docs, "node_modules/vitepress/bin/vitepress.js");
const [command, stdio] = process.argv.includes("--dev") ? ["dev", "inherit"] : ["build", "pipe"];
const { status, stdout, stderr } = spawnSync(process.execPath, [vitepress, command], {
  cwd: docs,
  stdio,
  encoding: "utf8",
});
const output = `${stdout ?? ""}${stderr ?? ""}`.trim();
const hasWarning = /\(!\)|\bwarn(?:ing)?\b|dead link/i.test(output);
if (status !== 0 || hasWarning) faults.push(output);
else if (command === "build") faults.push(...deadLinks(join(docs, "dist")));
if (faults.length > 0) console.error(faults.join("\n"));
else if (command === "build") {
  console.log(`docs: ${items.length} exported names, each with an example, its own or that of what takes it`);
  console.log("docs: the site is in docs/dist/, without warnings, dead links or lost pages");
}
process.exitCode = faults.length === 0 ? 0 : 1;
