import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

const script = new URL("../../scripts/check/dead-links.js", import.meta.url).href;

interface Checks {
  deadLinks(dist: string): string[];
  deadMarkdownLinks(page: string): string[];
  markdownBelow(folder: string): string[];
  missingExamples(page: string, root: string): string[];
}

/** What scripts/check/dead-links.js finds in a site of these files. */
async function faultsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { deadLinks } = (await import(script)) as Checks;
  const site = written(files);
  const faults = deadLinks(site);
  rmSync(site, { recursive: true });
  return faults.toSorted();
}

function written(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

const right = {
  "index.html":
    '<a class="x" href="/a">a</a><a href="/sub/">s</a><a href="https://elsewhere.example/b">b</a><img alt="" ' +
    'src="/i.png">',
  "a.html": '<h2 id="there"></h2><a href="#there">t</a><a target="_blank" href="sub/b.html?x&amp;y#%74here">b</a>',
  "sub/index.html": '<a href="../a#there">a</a><a href=".">s</a>',
  "sub/b.html": '<p id="there"></p>',
  "404.html": '<a href="/gone">g</a>',
  "i.png": "",
};

it("finds nothing where all links lead somewhere", async () => {
  expect(await faultsOf(right)).toEqual([]);
});

it("finds links, images and scripts that lead nowhere, to no heading, or to a folder without a page", async () => {
  const links = [
    '<a href="./gone">g</a>',
    '<img src="/gone.png">',
    '<script async src="/gone.js">',
    '<a href="#no">n</a>',
  ];
  const others = ['<link rel="x" href="/gone.css">', '<a href="/sub/b#no">n</a>', '<a href="/empty/">e</a>'];
  const text = [...links, ...others].join("\n");
  const faults = await faultsOf({ ...right, "sub/b.html": text, "empty/i.png": "" });
  expect(faults).toEqual([
    "dead link in sub/b.html: ./gone",
    "dead link in sub/b.html: /empty/",
    "dead link in sub/b.html: /gone.css",
    "dead link in sub/b.html: /gone.js",
    "dead link in sub/b.html: /gone.png",
    "no such heading, in a.html: sub/b.html?x&amp;y#%74here",
    "no such heading, in sub/b.html: #no",
    "no such heading, in sub/b.html: /sub/b#no",
  ]);
});

it("finds pages that no other leads to", async () => {
  expect(await faultsOf({ ...right, "sub/lost.html": '<a href="lost">l</a>' })).toEqual([
    "no link leads to sub/lost.html",
  ]);
});

it("finds links of Markdown that lead to no file or heading, and examples that are not there", async () => {
  const { deadMarkdownLinks, markdownBelow, missingExamples } = (await import(script)) as Checks;
  const folder = written({
    "docs/a.md":
      "# A `b` c\n[1](../README.md#there) [2](#a-b-c) [3](gone.md) [4](#gone) [5](https://a.example/b) `[6](gone)`",
    "README.md": '<a id="there"></a> [1](docs) [2](docs/a.md#no)\n```md\n[3](gone.md)\n```\n',
    "llms.txt": "[1](gone.txt) examples/one, examples/two/main.js, `node examples/three/dist/main.js`, examples/four-*",
    "examples/one/main.js": "",
    "node_modules/a.md": "[1](gone.md)",
  });
  const pages = markdownBelow(folder);
  const faults = pages.flatMap((page) => {
    const all = [...deadMarkdownLinks(page), ...missingExamples(page, folder)];
    return all.map((fault) => `${relative(folder, page)}: ${fault}`);
  });
  expect(faults.toSorted()).toEqual([
    "README.md: docs/a.md#no has no such heading",
    "docs/a.md: #gone has no such heading",
    "docs/a.md: gone.md does not exist",
    "llms.txt: examples/two/main.js",
    "llms.txt: gone.txt does not exist",
  ]);
  rmSync(folder, { recursive: true });
});
