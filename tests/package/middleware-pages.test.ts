import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { format } from "node:util";
import { build } from "esbuild";
import { describe, expect, it, vi } from "vitest";
import { cellsOf, withRows } from "./page-tables.ts";
import { snippetsOf } from "./snippets.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = readdirSync(`${root}docs/middleware`).filter((name) => name.endsWith(".md"));

/** What a program prints, run as it stands there, with the sources in place of the package. */
async function outputOf(program: string, name: string): Promise<string> {
  // Below the root, so that the peers are found.
  const outfile = `${root}node_modules/.cache/fingerpost/${name}-${process.pid}-${performance.now()}.mjs`;
  const print = vi.spyOn(console, "log").mockReturnValue();
  // A fault of the server is reported there, which some programs show.
  const complain = vi.spyOn(console, "error").mockReturnValue();
  try {
    await build({
      stdin: { contents: program, resolveDir: root, loader: "ts", sourcefile: `${name}.md` },
      outfile,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      plugins: [
        {
          name: "sources",
          setup: ({ onResolve }) =>
            onResolve({ filter: /^fingerpost(?:\/|$)/ }, ({ path }) => ({ path: sourceOf(path) })),
        },
      ],
    });
    await import(/* @vite-ignore */ pathToFileURL(outfile).href);
    return print.mock.calls.map((values) => `${format(...values)}\n`).join("");
  } finally {
    print.mockRestore();
    complain.mockRestore();
    await rm(outfile, { force: true });
  }
}

/** The source of an entry of the package. */
function sourceOf(entry: string): string {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    exports: Record<string, { default: string }>;
  };
  const { default: file } = exports[`.${entry.slice("fingerpost".length)}`]!;
  return file.replace(/^\.\/dist\/(.+)\.js$/, `${root}src/$1.ts`);
}

/** The options that a factory knows, as it says itself when it is given another. */
async function optionsOf(entry: string): Promise<{ readonly factory: string; readonly options: readonly string[] }[]> {
  const module = (await import(`../../src/middleware/${entry}.ts`)) as Readonly<Record<string, unknown>>;
  const factories = Object.values(module).filter((value) => typeof value === "function");
  return factories.flatMap((create) => {
    try {
      (create as (options: object) => unknown)({ nonsense: true });
    } catch (error) {
      const [, names] = /; write one of (.+)$/.exec(String(error)) ?? [];
      if (names !== undefined) return [{ factory: create.name, options: names.split(", ") }];
    }
    return [];
  });
}

describe.each(pages)("docs/middleware/%s", (file) => {
  const page = readFileSync(`${root}docs/middleware/${file}`, "utf8");
  const entry = file.slice(0, -".md".length);

  it("has programs that print what it says", { timeout: 30_000 }, async () => {
    const programs = snippetsOf(`docs/middleware/${file}`).filter(({ output, rows }) => output ?? rows.length > 0);
    expect(programs.length).toBeGreaterThan(0);
    for (const { code, output, rows } of programs) {
      const printed = await outputOf(withRows(code, rows), entry);
      if (output !== null) expect(printed).toBe(output);
      else expect(cellsOf(rows, printed.trimEnd().split("\n"))).toEqual(rows.map(({ response }) => response));
    }
  });

  it("names every option", async () => {
    for (const { factory, options } of await optionsOf(entry)) {
      for (const option of options) expect(page, `${factory}({ ${option} })`).toContain(`\`${option}\``);
    }
  });

  it("says what it sets and what it does not do", () => {
    expect(page).toMatch(/^## Options$/m);
    expect(page).toMatch(/^## Headers and status codes$/m);
    expect(page).toMatch(/^## Limits$/m);
  });
});

/** Middleware of native handlers only, which has no entry of its own. */
const ofNative = ["conditional", "negotiate"];

it("docs/middleware/ has a page for each entry of the package", () => {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { exports: Record<string, unknown> };
  const entries = Object.keys(exports)
    .flatMap((name) => /^\.\/middleware\/(.+)$/.exec(name)?.[1] ?? [])
    .concat(ofNative);
  expect(pages.map((name) => name.slice(0, -".md".length)).toSorted()).toEqual(entries.toSorted());
});

describe("what follows from middleware and entries", async () => {
  const script = new URL("../../scripts/build/entry-lists.js", import.meta.url).href;
  const { filesOfEntries } = (await import(script)) as { filesOfEntries(): ReadonlyMap<string, string> };
  const files = filesOfEntries();

  it.each([...files])("%s has each; npm run api writes it", (file, text) => {
    expect(readFileSync(`${root}${file}`, "utf8")).toBe(text);
  });

  it.each(["package.json", "docs/writing-middleware.md"])("%s has each page", (file) => {
    const names = pages.map((page) => page.slice(0, -".md".length));
    const own = file === "package.json" ? names.filter((name) => !ofNative.includes(name)) : names;
    for (const name of own) expect(files.get(file)).toContain(`middleware/${name}`);
  });

  it.each(["tsconfig.json", "knip.json"])("%s has an entry whose name is not that of its file", (file) => {
    expect(files.get(file)).toContain("src/state/idempotency.ts");
  });
});
