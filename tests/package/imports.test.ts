import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("../../scripts/check/imports.js", import.meta.url));

/** What scripts/check/imports.js says of a package of these files, with three entries. */
function faultsOf(files: Readonly<Record<string, string>>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  const built = ["modules/chain.js", "servers/node.js", "content/files.js"];
  const exports = Object.fromEntries(built.map((file) => [`./${file}`, { default: `./dist/${file}` }]));
  const all = { ...files, "../package.json": JSON.stringify({ exports }) };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, "src", file)), { recursive: true });
    writeFileSync(join(folder, "src", file), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const faults = stderr
    .split("\n")
    .filter((line) => line !== "")
    .toSorted();
  expect(status).toBe(faults.length === 0 ? 0 : 1);
  return faults;
}

const right = {
  "http/method.ts": "export const method = 1;\nexport type Method = 1;\n",
  "routing/node.ts": "export class Node {}\n",
  "application/resource.ts": 'import { method } from "../http/method.ts";\nexport const own = method;\n',
  "modules/chain.ts": 'export { own } from "../application/resource.ts";\n',
  "content/folder/place.ts": 'import "node:fs";\n',
  "content/files.ts":
    'export { own } from "../application/resource.ts";\nexport type { Method } from "../http/method.ts";\n',
  "servers/node.ts": 'import "node:http";\nexport type { Method } from "../http/method.ts";\n',
  "cli/main.ts": 'const recheck = await import("recheck");\nconst other = await import(process.argv[2]!);\n',
  "cli/main.test.ts": 'import { it } from "vitest";\n',
};

it("finds nothing in rooms that depend downward only", () => {
  expect(faultsOf(right)).toEqual([]);
});

it("finds an import of what is not ours, however it is written", () => {
  const texts = [
    'import fs from "node:fs";',
    "import fs from 'node:fs'",
    'import "node:fs";',
    'import type { Stats } from "node:fs";',
    'import {\n  readFileSync,\n} from "node:fs";',
    'const fs = await import("node:fs");',
    'type Stats = import("node:fs").Stats;',
    'const text = "x"; import "node:fs";',
  ];
  expect(faultsOf({ ...right, ...inFiles(texts) })).toEqual(texts.map((_, at) => `http/file${at}.ts imports node:fs`));
});

it("finds an import of Node in a file of content/ that is not the folder", () => {
  expect(faultsOf({ ...right, "content/file-name.ts": 'import "node:path";' })).toEqual([
    "content/file-name.ts imports node:path",
  ]);
});

it("finds an import of a room that is not below, however it is written", () => {
  const texts = [
    'import { Node } from "../routing/node.ts";',
    'import "../routing/node.ts";',
    'const late = () => import("../routing/node.ts");',
    'type Node = import("../routing/node.ts").Node;',
  ];
  expect(faultsOf({ ...right, ...inFiles(texts) })).toEqual(
    texts.map((_, at) => `http/file${at}.ts imports routing/node.ts: http may import only http`),
  );
});

it("finds an import of a folder that is above in its room", () => {
  const files = {
    "http/javascript/given.ts": 'import type { Status } from "../protocol/status.ts";',
    "http/protocol/status.ts": 'import "../message/response.ts";',
    "http/message/response.ts": 'import "../protocol/method.ts";\nimport "../javascript/thenable.ts";',
    "http/protocol/method.ts": 'import "../method.ts";',
    "http/javascript/thenable.ts": "export {};",
  };
  const faults = faultsOf({ ...right, ...files }).filter((fault) => !fault.startsWith("cycle of folders: "));
  expect(faults).toEqual([
    "http/javascript/given.ts imports http/protocol/status.ts: http/javascript may import only javascript of http",
    "http/protocol/method.ts imports http/method.ts: http/protocol may import only javascript, protocol of http",
    "http/protocol/status.ts imports http/message/response.ts: http/protocol may import only javascript, protocol of " +
      "http",
  ]);
});

it("finds an import of a room that it does not know, and by one", () => {
  const files = { "http/method.ts": 'import "../https/a.ts";', "https/a.ts": 'import "../routing/node.ts";' };
  expect(faultsOf({ ...right, ...files })).toEqual([
    "http/method.ts imports https/a.ts: http may import only http",
    "https/a.ts imports routing/node.ts: https may import only nothing",
    "src/https is no room: give it a row in scripts/check/imports.js",
  ]);
});

it("finds an import of what is not known before it runs, but in the command line", () => {
  const texts = ['const fs = import("node:" + "fs");', "const fs = import(`node:fs`);"];
  expect(faultsOf({ ...right, ...inFiles(texts) })).toEqual(
    texts.map((_, at) => `http/file${at}.ts imports what is not known before it runs`),
  );
});

it("finds a cycle, of types and late imports too", () => {
  const [one, other] = ['import("./status.ts");', 'import type { Method } from "./method.ts";'];
  expect(faultsOf({ ...right, "http/method.ts": one, "http/status.ts": other })).toEqual([
    "cycle: http/method.ts -> http/status.ts -> http/method.ts",
  ]);
});

it("finds a cycle of folders, whichever of their files import one another", () => {
  const files = {
    "routing/index/one.ts": "export const one = 1;",
    "routing/index/two.ts": 'import "../build/two.ts";',
    "routing/build/one.ts": 'import "../index/one.ts";',
    "routing/build/two.ts": "export const two = 2;",
  };
  const faults = faultsOf({ ...right, ...files });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^cycle of folders: routing\/(?:index|build) -> routing\/(?:build|index) -> routing\//);
});

it("lets readers of declared operations know their models, not their declarations and what performs them", () => {
  const files = {
    "semantics/declaration/operation.ts": 'import "../operation/media.ts";',
    "semantics/operation/media.ts": "export const media = 1;",
    "semantics/line/perform.ts": 'import "../operation/model.ts";',
    "semantics/operation/model.ts": "export const model = 1;",
    "openapi/document.ts": 'import "../semantics/operation/model.ts"; import "../semantics/line/perform.ts";',
    "openapi/page.ts": 'import "../semantics/declaration/operation.ts";',
    "client/calls.ts": 'import "../semantics/operation/model.ts";',
    "client/results.ts":
      'import type { Operation } from "../semantics/declaration/operation.ts"; import { text } from ' +
      '"../semantics/declaration/operation.ts";',
  };
  expect(faultsOf({ ...right, ...files }).map((fault) => fault.replace(/ only .*/, ""))).toEqual([
    "client/calls.ts imports semantics/operation/model.ts: client may import",
    "client/results.ts imports semantics/declaration/operation.ts: client may import",
    "openapi/document.ts imports semantics/line/perform.ts: openapi may import",
    "openapi/page.ts imports semantics/declaration/operation.ts: openapi may import",
    "semantics/declaration/operation.ts imports semantics/operation/media.ts: semantics/declaration may import",
  ]);
});

it("finds an import without the extension", () => {
  expect(faultsOf({ ...right, "application/resource.ts": 'import "../http/method";' })).toEqual([
    "application/resource.ts imports ../http/method without its extension",
  ]);
});

it("finds what re-exports and is no entry, and an entry that does not say what", () => {
  const texts = [
    'export { method } from "./method.ts";',
    'export type { Method } from "./method.ts";',
    'export * from "./method.ts";',
  ];
  const other = { "servers/other.ts": 'export type { Method } from "../http/method.ts";' };
  const because = "re-exports; only modules/ may, and other entries by name";
  expect(faultsOf({ ...right, ...inFiles(texts), ...other })).toEqual([
    ...texts.map((_, at) => `http/file${at}.ts ${because}`),
    `servers/other.ts ${because}`,
  ]);
  for (const all of ['export type * from "../http/method.ts";', 'export * from "../http/method.ts";'])
    expect(faultsOf({ ...right, "servers/node.ts": all })).toEqual([`servers/node.ts ${because}`]);
});

it("finds what asks which runtime it runs on, outside of hosts/ and of the two traits of an engine", () => {
  const texts = [
    'export const isBun = "Bun" in globalThis;',
    "export const { Deno } = globalThis as { readonly Deno?: unknown };",
    "export const pair = (globalThis as { WebSocketPair?: unknown }).WebSocketPair;",
    'export const isWorkers = navigator.userAgent === "Cloudflare-Workers";',
    '// Deno has one.\nexport const text = "Node, Bun and Deno";',
  ];
  const because = "asks which runtime it runs on: hosts/ has a file for each, and Host a member for the answer";
  const allowed = { "hosts/bun-host.ts": texts[0]!, "routing/index/literal-table.ts": texts[0]! };
  expect(faultsOf({ ...right, ...allowed, ...inFiles(texts) })).toEqual(
    texts.slice(0, 4).map((_, at) => `http/file${at}.ts ${because}`),
  );
});

it("finds a room that has no row of its own", () => {
  expect(faultsOf({ ...right, "helpers/text.ts": "export const text = 1;" })).toEqual([
    "src/helpers is no room: give it a row in scripts/check/imports.js",
  ]);
});

it("finds a room that a page lacks, has twice, or has alone", () => {
  const [agents, architecture] = ["AGENTS.md", "ARCHITECTURE.md"].map((page) =>
    readFileSync(new URL(`../../${page}`, import.meta.url), "utf8"),
  ) as [string, string];
  const faultsOfPages = (more: Readonly<Record<string, string>>): string[] =>
    faultsOf({ ...right, "../AGENTS.md": agents, "../ARCHITECTURE.md": architecture, ...more });
  expect(faultsOfPages({})).toEqual([]);
  const table = "The table of AGENTS.md has";
  expect(faultsOfPages({ "../AGENTS.md": agents.replace("`src/mock`", "`src/mocks`") })).toEqual([
    `${table} mock 0 times; once`,
    `${table} mocks, which does not exist`,
  ]);
  expect(faultsOfPages({ "../AGENTS.md": agents.replace("`src/mock`", "`src/cli`") })).toEqual([
    `${table} cli 2 times; once`,
    `${table} mock 0 times; once`,
  ]);
  const page = architecture
    .replace("├── sockets/", "├── pipes/")
    .replace("│   ├── operation/ ", "│   ├── operations/")
    .replace("| `fields` | `http` |\n", "| `words` | `http` |\n");
  expect(faultsOfPages({ "../ARCHITECTURE.md": page })).toEqual([
    "ARCHITECTURE.md lacks the row: | `fields` | `http` |",
    "The table of imports in ARCHITECTURE.md has fields 0 times; once",
    "The table of imports in ARCHITECTURE.md has words, which does not exist",
    "The tree of ARCHITECTURE.md has declaration, operations, line in semantics; declaration, operation, line",
    "The tree of ARCHITECTURE.md has pipes, which does not exist",
    "The tree of ARCHITECTURE.md has sockets 0 times; once",
  ]);
});

/** Texts as files of a room that may import nothing but itself. */
function inFiles(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text, at) => [`http/file${at}.ts`, text]));
}
