// Follows every link of the built site, to its heading. VitePress looks for pages only, and not in HTML.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

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
