// Follows every link of the built site, to its heading. VitePress looks for pages only, and not in HTML. Follows those
// of Markdown files too, in the repository and in the package as it is installed.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const origin = "http://site";

/** Finds the file that a server of static files answers with, if it knows clean URLs. */
function fileOf(dist, pathname) {
  const path = join(dist, decodeURIComponent(pathname));
  const candidates = [path, `${path}.html`, join(path, "index.html")];
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}

/** All links and images that lead nowhere, with the page that has them, and all pages that none leads to. */
export function deadLinks(dist) {
  const pages = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".html") && file !== "404.html");
  const texts = new Map(pages.map((page) => [join(dist, page), readFileSync(join(dist, page), "utf8")]));
  const reached = new Set([join(dist, "index.html")]);
  const faults = [];
  for (const [page, text] of texts) {
    const path = relative(dist, page).replaceAll("\\", "/");
    const base = new URL(`/${path.replace(/(?:\bindex)?\.html$/, "")}`, origin);
    for (const [, target] of text.matchAll(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="([^"]*)"/g)) {
      const url = new URL(target.replaceAll("&amp;", "&"), base);
      if (url.origin !== origin) continue;
      const file = fileOf(dist, url.pathname);
      const id = decodeURIComponent(url.hash.slice(1));
      if (file === undefined) faults.push(`dead link in ${path}: ${target}`);
      else if (id !== "" && !texts.get(file)?.includes(` id="${id}"`))
        faults.push(`no such heading, in ${path}: ${target}`);
      if (file !== page) reached.add(file);
    }
  }
  for (const page of texts.keys()) if (!reached.has(page)) faults.push(`no link leads to ${relative(dist, page)}`);
  return faults;
}

/** All Markdown files below a folder, without what is installed or built. */
export function markdownBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(?:node_modules|dist|coverage|reports|\..*)$/.test(entry.name) ? [] : markdownBelow(path);
    return entry.name.endsWith(".md") || entry.name === "llms.txt" ? [path] : [];
  });
}

/** The links of a Markdown file that lead to no file of its folder, or to no heading. */
export function deadMarkdownLinks(page) {
  const text = withoutBlocks(page).replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, link]) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), decodeURI(path));
    if (!existsSync(target)) return [`${link} does not exist`];
    if (anchor === undefined || statSync(target).isDirectory()) return [];
    return anchorsOf(target).has(anchor) ? [] : [`${link} has no such heading`];
  });
}

/** Examples that a file names, in text or code, and that are not in the folder; but for those that a build makes. */
export function missingExamples(page, root) {
  const named = readFileSync(page, "utf8").matchAll(/(?<![\w@-])(?:\.\.?\/)*(examples\/[\w./-]*[\w/])(?![\w*-])/g);
  const paths = new Set([...named].map(([, path]) => path));
  return [...paths].filter((path) => !/\/dist\b/.test(path) && !existsSync(join(root, path)));
}

function withoutBlocks(page) {
  return readFileSync(page, "utf8").replace(/^```.*?^```$/gms, "");
}

/** The anchors that a page has where it is browsed: those of its headings, and those that it names itself. */
function anchorsOf(page) {
  const text = withoutBlocks(page);
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
  return new Set([...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id), ...headings]);
}
