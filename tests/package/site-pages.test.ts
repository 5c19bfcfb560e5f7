import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { pages, root } from "./snippets.ts";

const script = (name: string): string => new URL(`../../scripts/build/${name}.js`, import.meta.url).href;
const { eraseTypes } = (await import(script("erase-types"))) as { eraseTypes(code: string): string };

interface Context {
  readonly root: string;
  readonly repository: string;
  known(file: string): boolean;
  readonly api: {
    readonly entries: readonly {
      readonly specifier: string;
      readonly page: string;
      readonly items: readonly object[];
    }[];
    readonly places: ReadonlyMap<object, string>;
    titleOf(item: object): string;
    shortName(name: string): string | undefined;
  };
}
const { sitePage } = (await import(script("site-pages"))) as {
  sitePage(page: string, text: string, context: Context): string;
};

const cors = { title: "cors()" };
const context: Context = {
  root,
  repository: "https://example.com/fingerpost",
  known: (file) => file.startsWith("docs/"),
  api: {
    entries: [{ specifier: "fingerpost/middleware/cors", page: "middleware/cors", items: [cors] }],
    places: new Map([[cors, "/api/middleware/cors#cors"]]),
    titleOf: (item) => (item as typeof cors).title,
    shortName: (name) => name.replace(/\.js$/, ""),
  },
};
const onSite = (text: string, page = "docs/page.md"): string => sitePage(page, text, context);

describe("programs in JavaScript on the site", () => {
  const compilerOptions = { verbatimModuleSyntax: true, target: "esnext" };
  const programs = pages().flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n([^]*?)\n```$/gm)].map(({ index, 1: code }) => ({
      place: `${page}, ${index}`,
      code: code!,
    })),
  );

  it("are those of many pages", () => {
    expect(programs.length).toBeGreaterThan(20);
  });

  it.each(programs)("$place does what the one in TypeScript does", async ({ code }) => {
    const how = { tsconfigRaw: { compilerOptions }, target: "esnext" } as const;
    const expected = await transform(code, { ...how, loader: "ts" });
    const found = await transform(eraseTypes(code), { ...how, loader: "js" });
    // An import that has become short is on one line.
    const lines = (text: string): string =>
      text.replace(/\{\n([^{}]*)\n\} from/g, "{$1} from").replace(/(?<=[{,])\s+|\s+(?=\})/g, "");
    expect(lines(found.code)).toBe(lines(expected.code));
  });

  it("keep blank lines and comments", () => {
    expect(eraseTypes('import { type A, b } from "c";\n\n// says why\nconst d: A = b as A;\n')).toBe(
      'import { b } from "c";\n\n// says why\nconst d = b;\n',
    );
  });
});

describe("pages on the site", () => {
  it("have a tab for each package manager, and for TypeScript and JavaScript", () => {
    const installing = onSite("```sh\nnpm install fingerpost zod\n```\n");
    expect(installing).toContain("::: code-group");
    for (const line of ["npm install fingerpost zod", "pnpm add fingerpost zod", "deno add npm:fingerpost npm:zod"])
      expect(installing).toContain(`\n${line}\n`);
    expect(onSite("```sh\nnpm install\n```\n")).toBe("```sh\nnpm install\n```\n");
    expect(onSite("```sh\nmkdir a\nnpm install b\nnode c\n```\n")).toContain(
      "```sh [bun]\nmkdir a\nbun add b\nnode c\n```",
    );
    const typed = onSite("```ts\nconst a: number = 1;\n```\n");
    expect(typed).toContain("```ts [TypeScript]\nconst a: number = 1;\n```");
    expect(typed).toContain("```js [JavaScript]\nconst a = 1;\n```");
  });

  it("show the name of a file", () => {
    expect(onSite("```js [a.js]\nb();\n```\n")).toBe("::: code-group\n\n```js [a.js]\nb();\n```\n\n:::\n");
  });

  it("have tabs between two marks", () => {
    const text = "<!-- tabs -->\n**Node**\n\n```js\na();\n```\n\n**Bun**\n\n```js\nb();\n```\n\n<!-- end of tabs -->\n";
    expect(onSite(text)).toBe("::: code-group\n\n```js [Node]\na();\n```\n\n```js [Bun]\nb();\n```\n\n:::\n");
  });

  it("link the reference where they first speak of what they import, and at their end", () => {
    const text =
      "# `cors()`\n\nWrite `cors()`, once `cors()`.\n\n```js\nimport { cors } from " +
      '"fingerpost/middleware/cors";\n```\n';
    const found = onSite(text);
    expect(found).toContain("# `cors()`\n\nWrite [`cors()`](/api/middleware/cors#cors), once `cors()`.");
    expect(found).toContain("API reference: [`fingerpost/middleware/cors`](/api/middleware/cors)");
    expect(onSite("Write `cors()`.\n")).toBe("Write `cors()`.\n");
  });

  it("link the repository for what is not on the site", () => {
    expect(onSite("[a](params.md) [b](../README.md) [c](../examples/node)\n")).toBe(
      "[a](params.md) [b](https://example.com/fingerpost/blob/main/README.md) " +
        "[c](https://example.com/fingerpost/tree/main/examples/node)\n",
    );
  });

  it("have drawings in the text, and the first program of the start page beside the headline", () => {
    expect(onSite("![Way](diagrams/request.svg)\n")).toMatch(/^<div class="diagram"><svg [^]*<\/svg><\/div>\n/);
    const start = onSite("---\nlayout: home\n---\n\n```js\na();\n\nb();\n```\n\nText\n", "docs/index.md");
    expect(start).toBe("---\nlayout: home\nprogram: |\n  a();\n\n  b();\n---\n\nText\n");
  });
});
