import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
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

  it("lead to a README in the folder of each example", () => {
    const examples = readdirSync(join(root, "examples"));
    expect(examples.filter((name) => !readdirSync(join(root, "examples", name)).includes("README.md"))).toEqual([]);
  });

  it("lead to each page, from llms.txt and from the sidebar", () => {
    const pages = readdirSync(join(root, "docs")).filter(
      (file) => file.endsWith(".md") && !/^(?:index|README)\.md$/.test(file),
    );
    const [list, site] = ["llms.txt", "docs/.vitepress/config.js"].map((file) =>
      readFileSync(join(root, file), "utf8"),
    );
    expect(pages.filter((page) => !list!.includes(`(docs/${page})`))).toEqual([]);
    // The sidebar lists pages of other frameworks by name.
    const isInSidebar = (page: string): boolean =>
      page.startsWith("coming-from-") || site!.includes(`"${basename(page, ".md")}"`);
    expect(pages.filter((page) => !isInSidebar(page))).toEqual([]);
    const recipes = readdirSync(join(root, "docs/recipes"));
    expect(recipes.filter((page) => !list!.includes(`(docs/recipes/${page})`))).toEqual([]);
  });
});

describe("tables", () => {
  it.each(markdownBelow(root).map((page) => relative(root, page)))(
    "of %s have a head, without which they are text",
    (page) => {
      const text = readFileSync(join(root, page), "utf8").replace(/^```[^]*?^```/gm, "");
      const first = [...text.matchAll(/(?<!^\|.*\n)^(\|.*\|)\n(.*)/gm)];
      expect(first.filter(([, , second]) => !/^\|[ :|-]+\|$/.test(second!)).map(([, head]) => head)).toEqual([]);
    },
  );
});
