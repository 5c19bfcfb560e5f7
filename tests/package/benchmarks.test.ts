import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./snippets.ts";

const lib = (file: string): string => new URL(`../../bench/lib/${file}`, import.meta.url).href;
const { filled } = (await import(lib("page.js"))) as { filled(text: string, results: unknown): string };
const { citedResults } = (await import(lib("results.js"))) as { citedResults(): unknown };

const text = readFileSync(join(root, "docs/benchmarks.md"), "utf8");

describe("the page of benchmarks", () => {
  it("has at most 150 lines", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(150);
  });

  it("has the figures that bench/results has", () => {
    expect(filled(text, citedResults())).toBe(text);
  });

  it("says which of its marks is lost", () => {
    expect(() => filled(text.replace("<!-- figures: ahead -->", ""), citedResults())).toThrow('the figures "ahead"');
  });

  // What is measured is kept where git does not look: it was 57,000 lines once.
  it.each(readdirSync(join(root, "bench/results")))("or another page cites bench/results/%s", (file) => {
    const pages = readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`);
    const citing = [...pages, "bench/README.md", "README.md"].filter((page) =>
      readFileSync(join(root, page), "utf8").includes(`results/${file}`),
    );
    expect(citing).not.toEqual([]);
  });
});
