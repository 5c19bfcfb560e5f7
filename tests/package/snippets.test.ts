import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cellsOf, withRows } from "./page-tables.ts";
import { examples, install, pages, root, snippetsOf } from "./snippets.ts";
import { filesIn } from "../support/files.ts";

// Below node_modules/, so that optional peers are found.
const folder = mkdtempSync(join(root, "node_modules", ".snippets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const snippets = [...pages().flatMap(snippetsOf), ...examples()];
const programs = snippets.filter(({ file, place }) => file === null && !place.startsWith("docs/middleware/"));

interface Result {
  readonly lines: readonly string[];
  readonly error?: string;
}
let results: Map<string, Result>;

const script = new URL("../../scripts/check/lib/run-programs.js", import.meta.url).href;
const { runPrograms, withoutPort } = (await import(script)) as {
  runPrograms(folder: string, programs: readonly string[]): Promise<Result[]>;
  withoutPort(text: string): string;
};

beforeAll(async () => {
  await install(folder);
  const ran = await runPrograms(
    folder,
    programs.map(({ code, rows }) => withRows(code, rows)),
  );
  results = new Map(ran.map((result, at) => [programs[at]!.place, result]));
}, 60_000);

describe("programs in README, docs and docstrings", () => {
  it("are there, and none is left out", () => {
    expect(programs.length).toBeGreaterThan(40);
    const named = snippets.filter(({ file }) => file !== null).map(({ place }) => place.replace(/:\d+$/, ""));
    // Tests of their own run these.
    const run = [
      "accounts",
      "an-application",
      "api-keys",
      "database",
      "getting-started",
      "project-structure",
      "sign-in-with-google",
      "tutorial/database",
      "tutorial/sign-in",
      "tutorial/tests-and-deploy",
      "tutorial/validation",
      "typescript",
    ];
    expect([...new Set(named)]).toEqual(run.map((name) => `docs/${name}.md`));
    const marks = pages().flatMap((page) => [
      ...readFileSync(join(root, page), "utf8").matchAll(/^ *(```|~~~)(\w*)/gm),
    ]);
    expect([...new Set(marks.map(([, , language]) => language))].toSorted()).toEqual([
      "",
      "console",
      "js",
      "json",
      "sh",
      "sql",
      "svelte",
      "text",
      "ts",
      "tsx",
      "vue",
    ]);
  });

  it("import each entry by its short name, in pages", () => {
    const names = new Set(Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports));
    const isLong = (name: string): boolean => {
      if (/^fingerpost\/(?:modules\/http\.(?:native|semantics)|servers\/node)\.js$/.test(name)) return true;
      return name.endsWith(".js") && names.has(`.${name.slice("fingerpost".length, -".js".length)}`);
    };
    const found = snippets
      .filter(({ place }) => !/^(?:src|decisions)\//.test(place))
      .flatMap(({ place, code }) =>
        [...code.matchAll(/"(fingerpost(?:\/[^"]+)?)"/g)]
          .filter(([, name]) => isLong(name!))
          .map(([, name]) => [place, name]),
      );
    expect(found).toEqual([]);
  });

  it.each(programs)("$place works, and prints what it says", (snippet) => {
    const { error, lines: printed } = results.get(snippet.place)!;
    expect(error).toBeUndefined();
    if (snippet.code.includes('"node:test"')) return;
    if (snippet.rows.length > 0) {
      expect(printed).toHaveLength(snippet.rows.length);
      expect(cellsOf(snippet.rows, printed)).toEqual(snippet.rows.map(({ response }) => response));
      return;
    }
    if (snippet.output !== null) {
      expect(`${printed.map(withoutPort).join("\n")}\n`).toBe(withoutPort(snippet.output));
      return;
    }
    const shown = snippet.comments.filter((comment) => printed.includes(comment));
    expect(shown).toEqual(printed);
    const promised = [...snippet.code.matchAll(/console\.log\(.*;\s*\/\/ (.*)$/gm)].map(([, comment]) => comment);
    expect(printed).toEqual(expect.arrayContaining(promised));
  });

  it("send each table of requests, and notice a response that is another", () => {
    const tables = pages().flatMap((page) =>
      [
        ...readFileSync(join(root, page), "utf8").matchAll(
          /^\| request \| response \|\n.*\n\| `[A-Z]+ (?:\/|https:)/gm,
        ),
      ].map(() => page),
    );
    const sent = snippets.filter(({ rows }) => rows.length > 0).map(({ place }) => place.replace(/:\d+$/, ""));
    expect(tables).toEqual(sent);
    const rows = [
      { request: "`GET /`", response: "200 `Allow: GET` `{…}`" },
      { request: "`GET /`", response: "404 `Allow: PUT` no `Allow` `text`" },
    ];
    const printed = JSON.stringify([200, [["allow", "GET"]], "{}"]);
    expect(cellsOf(rows, [printed, printed])).toEqual([rows[0]!.response, "200 `Allow: GET` `Allow` `{}`"]);
  });

  it("show declared operations before handlers of a Request, but on the pages of the other modules", () => {
    const resourceOf = (entry: string): RegExp => new RegExp(`import \\{[^}]*\\bResource\\b[^}]*\\} from "${entry}"`);
    const [declared, other] = [
      resourceOf("fingerpost"),
      resourceOf("fingerpost/(?:native|polyfill|modules/http.polyfill.js)"),
    ];
    const handler = /^ {2}(?:async )?\*?(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?:\(| =)/m;
    const late = pages()
      .filter((page) => !/^decisions|^docs\/(?:native|native-types|native-content|polyfill)\.md$/.test(page))
      .filter((page) => {
        const handling = snippetsOf(page).filter(({ code }) => handler.test(code));
        const first = handling.find(({ code }) => declared.test(code) || other.test(code));
        return first !== undefined && !declared.test(first.code);
      });
    expect(late).toEqual([]);
    expect(snippetsOf("docs/native.md").some(({ code }) => other.test(code) && handler.test(code))).toBe(true);
  });

  it("take one world: native entries are on pages of native resources, and in no program beside fingerpost", () => {
    const native = /from "fingerpost\/(?:native|polyfill|modules)\b/;
    // Middleware that only native resources need.
    const middleware = ["allowed-methods", "body-limit", "conditional", "negotiate"].map(
      (name) => `middleware/${name}`,
    );
    const homes = ["native", "native-types", "native-content", "polyfill", "modules", ...middleware].map(
      (name) => `docs/${name}.md`,
    );
    const guides = pages().filter((page) => !page.startsWith("decisions/") && !homes.includes(page));
    const isStray = ({ code }: { readonly code: string }): boolean => native.test(code);
    expect(
      guides
        .flatMap(snippetsOf)
        .filter(isStray)
        .map(({ place }) => place),
    ).toEqual([]);
    for (const page of homes) expect(snippetsOf(page).some(isStray)).toBe(true);
    const mixed = filesOfExamples().filter((file) => isStray(file) && /from "fingerpost"/.test(file.code));
    expect(mixed.map(({ place }) => place)).toEqual([]);
  });

  it("set no field on what next() gave, which may be immutable, nor do the files of examples/", () => {
    const isSet = /(\w+) = await this\.next\([^)]*\);(?:(?!\n\}).)*\b\1\.headers\.(?:set|append|delete)\(/s;
    expect(isSet.test("const a = await this.next(request);\na.headers.set(b, c);")).toBe(true);
    // Those of docstrings in src/modules and src/application still do.
    const all = [...snippets, ...filesOfExamples()].filter(({ place }) => !/^src\/(?:modules|application)/.test(place));
    expect(all.filter(({ code }) => isSet.test(code)).map(({ place }) => place)).toEqual([]);
  });

  it("ask an application by request(), and make no Request for that", () => {
    const isMade = /\bapp\.fetch\(\s*new Request\(["'`]http:\/\/localhost/;
    expect(isMade.test('await app.fetch(new Request("http://localhost/"))')).toBe(true);
    expect(snippets.filter(({ code }) => isMade.test(code)).map(({ place }) => place)).toEqual([]);
  });

  it("let nobody in for the mere presence of a field, nor do the files of examples/", () => {
    const files = filesOfExamples();
    expect(files.length).toBeGreaterThan(20);
    const field = String.raw`\(\s*["'](?:proxy-)?(?:authorization|signature|cookie)["']\s*\)`;
    const isMerePresence = new RegExp(
      String.raw`\.has${field}|![\w.]+\.get${field}|\.get${field}\s*[!=]==?\s*(?:null|undefined)`,
      "i",
    );
    expect([...snippets, ...files].filter(({ code }) => isMerePresence.test(code)).map(({ place }) => place)).toEqual(
      [],
    );
  });

  it("compile, where they are more than JavaScript, or in docstrings", async () => {
    const files: string[] = [];
    for (const [index, { code, place, file }] of snippets.entries()) {
      if (file !== null) continue;
      // Examples in docstrings are marked as TypeScript, and shown by editors to those who write it.
      if (!place.startsWith("src/") && (await isJavaScript(code))) continue;
      files.push(`${index}.ts`);
      writeFileSync(join(folder, `${index}.ts`), code);
    }
    const marked = files.filter((file) => snippets[Number.parseInt(file)]!.place.startsWith("src/"));
    expect(marked.length).toBe(examples().length);
    expect(files.length - marked.length).toBeGreaterThan(3);
    const compilerOptions = { noUnusedLocals: false };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, files, include: [] }),
    );
    expect(faultsOf(folder).replace(/^.*?(\d+)\.ts/gm, (_, index) => snippets[Number(index)]!.place)).toBe("");
  });
});

function filesOfExamples(): { readonly place: string; readonly code: string }[] {
  return filesIn(join(root, "examples"))
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => ({ place: `examples/${file}`, code: readFileSync(join(root, "examples", file), "utf8") }));
}

async function isJavaScript(code: string): Promise<boolean> {
  return transform(code, { loader: "js", logLevel: "silent" }).then(
    () => true,
    () => false,
  );
}

function faultsOf(project: string): string {
  const compiler = join(
    dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")),
    "bin/tsc",
  );
  return spawnSync(process.execPath, [compiler, "-p", project, "--pretty", "false"], { encoding: "utf8" }).stdout;
}
