import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(?:node_modules|dist|coverage|reports|\..*)$/.test(entry.name) ? [] : pagesBelow(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** The anchors that a page has where it is browsed: those of its headings, and those that it names itself. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(page, "utf8").replace(/^```.*?^```$/gms, "");
  const named = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);
  return new Set([
    ...named,
    ...[...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
      heading!
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-"),
    ),
  ]);
}

function faultsOf(page: string): string[] {
  const text = readFileSync(page, "utf8")
    .replace(/^```.*?^```$/gms, "")
    .replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, link]) => {
    const [path = "", anchor] = link!.split("#");
    const target = path === "" ? page : join(dirname(page), decodeURI(path));
    if (!existsSync(target)) return [`${link} does not exist`];
    if (anchor === undefined || statSync(target).isDirectory()) return [];
    return anchorsOf(target).has(anchor) ? [] : [`${link} has no such heading`];
  });
}

describe("links", () => {
  it.each(pagesBelow(root).map((page) => relative(root, page)))("of %s lead somewhere", (page) => {
    expect(faultsOf(join(root, page))).toEqual([]);
  });
});
