import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./snippets.ts";

const script = new URL("../../scripts/check/dead-links.js", import.meta.url).href;
const { deadMarkdownLinks, markdownBelow } = (await import(script)) as {
  deadMarkdownLinks(page: string): string[];
  markdownBelow(folder: string): string[];
};

describe("links", () => {
  it.each(markdownBelow(root).map((page) => relative(root, page)))("of %s lead somewhere", (page) => {
    expect(deadMarkdownLinks(join(root, page))).toEqual([]);
  });
});
