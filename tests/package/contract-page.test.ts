import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "tests/contract.md"), "utf8");
const anchors = [...page.matchAll(/<a id="([^"]*)">/g)].map(([, id]) => id!);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:node_modules|dist|reports|\..*)$/.test(entry.name) ? [] : filesBelow(path);
    return /\.(?:md|[cm]?[jt]s|json|txt)$/.test(entry.name) ? [path] : [];
  });
}

describe("the contract page", () => {
  it("has an anchor for every rule that sources, tests, decisions and docs cite", () => {
    const cited = new Set(
      ["src", "tests", "decisions", "docs"]
        .flatMap((folder) => filesBelow(join(root, folder)))
        .flatMap((file) => readFileSync(file, "utf8").match(/\bC[1-9][0-9]?\.[0-9]+/g) ?? []),
    );
    expect(cited.size).toBeGreaterThan(30);
    expect([...cited].filter((code) => !anchors.includes(anchorOf(code)))).toEqual([]);
  });

  it("has no anchor twice", () => {
    expect(anchors.filter((id, at) => anchors.indexOf(id) !== at)).toEqual([]);
  });

  it("begins each rule with its anchor and its number", () => {
    const rules = [...page.matchAll(/^<a id="([^"]*)"><\/a>\*\*(C[1-9][0-9]?\.[0-9]+)\*\* /gm)];
    expect(rules.map(([, id]) => id)).toEqual(anchors);
    for (const [, id, code] of rules) expect(id).toBe(anchorOf(code!));
  });

  it("has each rule in the section of its number", () => {
    for (const section of page.split(/^## /m).slice(1)) {
      for (const [, id] of section.matchAll(/<a id="([^"]*)">/g))
        expect(id).toMatch(new RegExp(`^c${Number.parseInt(section)}-`));
    }
  });
});

function anchorOf(code: string): string {
  return code.toLowerCase().replace(".", "-");
}
