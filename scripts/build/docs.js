// Builds the documentation site to docs/dist/; a warning or a dead link is a failure. `--dev` serves it instead.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deadLinks } from "../check/dead-links.js";
import { install } from "./install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = join(root, "docs");

install(docs, "VitePress");

const site = join(docs, ".site");
rmSync(site, { recursive: true, force: true });
const pages = readdirSync(docs).filter(
  (name) => /^(?!package)[^.]+(?:\.md)?$/.test(name) && !/^(?:node_modules|dist)$/.test(name),
);
const others = ["decisions", "bench/README.md", "bench/results", "CHANGELOG.md", "SECURITY.md"];
for (const source of [...pages.map((name) => join("docs", name)), ...others]) {
  if (existsSync(join(root, source))) cpSync(join(root, source), join(site, source), { recursive: true });
}

// What is in the repository but not on the site is no link there.
for (const page of readdirSync(site, { recursive: true }).filter((file) => file.endsWith(".md"))) {
  const text = readFileSync(join(site, page), "utf8");
  const unlinked = text.replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g, (link, words, target) => {
    const file = join(dirname(page), target);
    return existsSync(join(root, file)) && !existsSync(join(site, file)) ? words : link;
  });
  if (unlinked !== text) writeFileSync(join(site, page), unlinked);
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
const faults = [];
if (status !== 0 || hasWarning) faults.push(output);
else if (command === "build") faults.push(...deadLinks(join(docs, "dist")));
if (faults.length > 0) console.error(faults.join("\n"));
else if (command === "build")
  console.log("docs: the site is in docs/dist/, without warnings, dead links or lost pages");
process.exitCode = faults.length === 0 ? 0 : 1;
