// What pages get on the site besides their text: tabs, diagrams that follow the theme, links to the API reference and
// to the repository.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { eraseTypes } from "./erase-types.js";

/** Writes one page for the site. `known` says which files the site has. */
export function sitePage(page, text, { root, known, repository, api }) {
  const steps = [
    withProgram,
    withDiagrams,
    withFileNames,
    withTabs,
    withInstallers,
    withJavaScript,
    withApiLinks,
    withRepositoryLinks,
  ];
  return steps.reduce((done, step) => step(done, { page, root, known, repository, api }), text);
}

/** The first program of the start page goes beside the headline. */
function withProgram(text, { page }) {
  const match = page === "docs/index.md" ? /\n```js\n([^]*?)\n```\n/.exec(text) : null;
  if (match === null) return text;
  const lines = match[1].split("\n").map((line) => (line === "" ? "" : `  ${line}`));
  return text.replace(match[0], "").replace("\n---\n", `\nprogram: |\n${lines.join("\n")}\n---\n`);
}

/** Drawings of docs/diagrams are put into the page, so that they have its colors, light or dark. */
function withDiagrams(text, { page, root }) {
  return text.replace(/^!\[([^\]]*)\]\(([^)]*diagrams\/[^)]*\.svg)\)$/gm, (_, alt, target) => {
    const svg = readFileSync(join(root, dirname(page), target), "utf8");
    return `<div class="diagram">${svg.replace(/\n\s*/g, "")}</div>\n`;
  });
}

/** A block that has a file name shows it, as a tab does. */
function withFileNames(text) {
  return text.replace(/^```(\w+) \[([^\]]+)\]\n([^]*?)\n```$/gm, (_, language, name, code) =>
    group([[name, language, code]]),
  );
}

/** Blocks between two marks become tabs, each named by the bold line above it. */
function withTabs(text) {
  return text.replace(/<!-- tabs -->\n([^]*?)<!-- end of tabs -->/g, (_, part) => {
    const blocks = [...part.matchAll(/\*\*(.+?)\*\*\n\n```(\w+)\n([^]*?)\n```/g)];
    return group(blocks.map(([, name, language, code]) => [name, language, code]));
  });
}

const group = (blocks) => {
  const fences = blocks.map(([name, language, code]) => `\`\`\`${language} [${name}]\n${code}\n\`\`\``);
  return ["::: code-group", ...fences, ":::"].join("\n\n");
};

const installers = [
  ["npm", (rest) => `npm install ${rest}`],
  ["pnpm", (rest) => `pnpm add ${rest}`],
  ["yarn", (rest) => `yarn add ${rest}`],
  ["bun", (rest) => `bun add ${rest}`],
  ["deno", (rest) => `deno add ${rest.replace(/(?<=^|\s)(?=[@\w])/g, "npm:")}`],
];

/** Each block that installs something with npm has a tab for every package manager. */
function withInstallers(text) {
  return text.replace(/^```sh\n([^`]*?)\n```$/gm, (block, code) => {
    const pattern = /^npm install ((?:[@\w][\w./@-]*[ ]?)+)$/m;
    if (!pattern.test(code)) return block;
    return group(
      installers.map(([name, line]) => [name, "sh", code.replace(pattern, (_, packages) => line(packages))]),
    );
  });
}

/** A program in TypeScript has a tab with the same in JavaScript. */
function withJavaScript(text, { page }) {
  if (!page.startsWith("docs/") || /typescript|types\.md/.test(page)) return text;
  return text.replace(/^```ts\n([^]*?)\n```$/gm, (block, code) => {
    const plain = eraseTypes(code);
    if (plain === code || plain.trim() === "") return block;
    return group([
      ["TypeScript", "ts", code],
      ["JavaScript", "js", plain],
    ]);
  });
}

/** The entries that a page imports are linked at its end, and what it speaks of, where it does so first. */
function withApiLinks(text, { page, api }) {
  if (!page.startsWith("docs/") || /^docs\/(?:index|errors)\b/.test(page)) return text;
  const imported = new Set(
    [...text.matchAll(/from "(fingerpost(?:\/[^"]*)?)"/g)].map(([, name]) => api.shortName(name)),
  );
  const entries = api.entries.filter(({ specifier }) => imported.has(specifier));
  if (entries.length === 0) return text;
  const linked = linkFirst(text, (name) => {
    const found = entries.flatMap(({ items }) => items).filter((item) => api.titleOf(item) === name);
    return found.length > 0 && new Set(found).size === 1 ? api.places.get(found[0]) : undefined;
  });
  const links = entries.map(({ specifier, page: place }) => `[\`${specifier}\`](/api/${place})`);
  return `${linked.trimEnd()}\n\n<div class="api-links">\n\nAPI reference: ${links.join(", ")}\n\n</div>\n`;
}

/** Links each name in code, where it first appears in prose: not in blocks, headings, tables or other links. */
function linkFirst(text, placeOf) {
  const done = new Set();
  let isCode = false;
  let isMatter = text.startsWith("---\n");
  const lines = text.split("\n").map((line, at) => {
    if (isMatter) {
      if (at > 0 && line === "---") isMatter = false;
      return line;
    }
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || /^(?:\s*```|#|\||<|:::)/.test(line)) return line;
    return line.replace(/\[[^\]]*\](?:\([^)]*\))?|``[^`]+``|`([^`]+)`/g, (code, name) => {
      const place = name === undefined || done.has(name) ? undefined : placeOf(name);
      if (place === undefined) return code;
      done.add(name);
      return `[${code}](${place})`;
    });
  });
  return lines.join("\n");
}

/** What is in the repository but not on the site is linked there. */
function withRepositoryLinks(text, { page, root, known, repository }) {
  return text.replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#|\/)([^)#\s]+)(#[^)]*)?\)/g, (link, words, target) => {
    const file = posix.join(posix.dirname(page), target);
    if (known(file) || !existsSync(join(root, file))) return link;
    const kind = statSync(join(root, file)).isDirectory() ? "tree" : "blob";
    return `[${words}](${repository}/${kind}/main/${file})`;
  });
}
