import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./snippets.ts";

const lib = (file: string): string => new URL(`../../bench/lib/${file}`, import.meta.url).href;
const { filled } = (await import(lib("page.js"))) as {
  filled(text: string, results: unknown, measured?: unknown): string;
};
const { citedResults } = (await import(lib("results.js"))) as { citedResults(): unknown };

const text = readFileSync(join(root, "docs/benchmarks.md"), "utf8");

describe("the page of benchmarks", () => {
  it("has at most 120 lines", () => {
    expect(text.split("\n").length).toBeLessThanOrEqual(120);
  });

  it("has the figures that bench/results has", () => {
    expect(filled(text, citedResults())).toBe(text);
  });

  it("says which of its marks is lost", () => {
    expect(() => filled(text.replace("<!-- figures: ahead -->", ""), citedResults())).toThrow('the figures "ahead"');
  });

  it("has the requests that bench/requests measured", () => {
    const samples = { "fingerpost semantics": [20, 22, 21], fastify: [10.5, 10, 11], "node:http": [5, 5, 5] };
    const rows = { R1: { date: "2026-11-26", samples, left: {} } };
    const measured = [{ label: "node-20", version: "20.20.2", rows }];
    const page = filled(text, citedResults(), measured);
    expect(page).toContain("CPU of a request in microseconds, 2026-11-26.");
    expect(page).toContain("| runtime |  | R1 |");
    expect(page).toContain("| Node 20.20.2 | **fingerpost semantics** | 21 |\n| Node 20.20.2 | fastify | 11 |");
    expect(page).toContain("R1: GET with a param and two query fields, 300 B JSON.");
    expect(page).toContain("| 2.00 x fastify (R1) |");
    expect(page).toContain("a small request costs a server 21 µs of CPU");
  });

  // What is measured is kept where git does not look: it was 57,000 lines once.
  it.each(readdirSync(join(root, "bench/results")))("or another page cites bench/results/%s", (file) => {
    const pages = readdirSync(join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`);
    // What was measured is kept beside the tables that are made of it.
    const shown = file === "figures.json" ? "hono.svg" : file.replace(/\.json$/, ".md");
    const citing = [...pages, "bench/README.md", "README.md"].filter((page) =>
      readFileSync(join(root, page), "utf8").includes(`results/${shown}`),
    );
    expect(citing).not.toEqual([]);
  });
});
