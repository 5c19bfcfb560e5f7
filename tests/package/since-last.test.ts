// What scripts/check/since-last.js fails for, shown on a package of one entry that is released, and then changed.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "./snippets.ts";

interface Changes {
  readonly [kind: string]: readonly string[];
}
const linked = (name: string): Promise<object> =>
  import(new URL(`../../scripts/check/lib/${name}.js`, import.meta.url).href) as Promise<object>;
const { changesSince } = (await linked("changes-since")) as {
  changesSince(folder: string, was: object): Promise<Changes>;
};
const { readInterface } = (await linked("kept-interface")) as { readInterface(folder: string): object };

const report = `// stable
export function greet(name: string | number, options?: GreetOptions): string;

// stable
export interface GreetOptions {
    readonly loud?: boolean;
    readonly maxCharacters?: number;
}

// stable
export interface Page {
    readonly size: number;
}

// stable
export function part(name: string): string;

// stable
export function shout(name: string): string;

// stable
export type Names = readonly string[];

// experimental
export function wave(): string;
`;
const code = `export const greet = (name) => name + "!";
export const part = (name) => '{"status":400,"detail":"Is not ' + name + '"}';
export const shout = (name) => name;
export const wave = () => "o/";
`;
const programs = ["greet(7)", 'part("Ada")', 'shout("Ada")', "wave()"].map((call, at) => ({
  place: `docs/page.md:${at}`,
  language: "ts",
  file: null,
  code: `import { ${/\w+/.exec(call)![0]} } from "fingerpost";\nconsole.log(${call});\n`,
  printed: [["7!"], ['{"status":400,"detail":"No \\"Ada\\""}'], ["Ada"], ["o/"]][at],
}));

type Edit = readonly [from: string, to: string];
const edited = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((done, [from, to]) => {
    expect(done).toContain(from);
    return done.replace(from, to);
  }, text);

/** What the check says of a release, whose report and code are edited then. */
async function changes(inReport: readonly Edit[], inCode: readonly Edit[] = [], lost?: string): Promise<Changes> {
  const folder = mkdtempSync(join(root, "node_modules", ".release-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["dist", "tests/package/api"]) mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const entry = { types: "./dist/index.d.ts", default: "./dist/index.js" };
  const write = (declared: string, program: string, names: readonly string[]): void => {
    const exports = Object.fromEntries(names.map((name) => [name, entry]));
    const manifest = { name: "fingerpost", version: "3.0.0", type: "module", exports };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "tests/package/api/index.txt"), declared);
    writeFileSync(join(folder, "dist/index.d.ts"), declared);
    writeFileSync(join(folder, "dist/index.js"), program);
  };
  const names = [".", "./more"];
  write(report, code, names);
  const before = { ...readInterface(folder), programs };
  write(
    edited(report, inReport),
    edited(code, inCode),
    names.filter((name) => name !== lost),
  );
  const { exported: _, unclear: __, ...found } = await changesSince(folder, before);
  return Object.fromEntries(Object.entries(found).filter(([, faults]) => faults.length > 0));
}

describe("since-last", () => {
  it("finds nothing where exports and members are added, and what was experimental is stable", async () => {
    const found = await changes([
      ["    readonly size", "    readonly more?: number;\n    readonly size"],
      ["// experimental", "// stable\nexport const more: 1;\n\n// stable"],
    ]);
    expect(found).toEqual({});
  });

  it("finds each name that is lost, narrowed, or stable no longer", async () => {
    const found = await changes(
      [
        ["string | number", "string"],
        ["    readonly loud?: boolean;\n", ""],
        ["maxCharacters?: number", "maxCharacters?: bigint"],
        ["interface Page", "interface Page<T>"],
        ["part(name: string): string", "part(name: string): number"],
        ["function shout", "function call"],
        ["// stable\nexport type", "// experimental\nexport type"],
        ["function wave", "function bow"],
      ],
      [],
      "./more",
    );
    const told = Object.entries(found).flatMap(([kind, faults]) =>
      faults.map((fault) => `${kind}: ${fault.replaceAll(/(?: of fingerpost)?: .*/g, "")}`),
    );
    expect(told.toSorted()).toEqual([
      "experimental: docs/page.md:3",
      "experimental: wave",
      "failing: docs/page.md:0",
      "failing: docs/page.md:2",
      "gone: fingerpost/more",
      "lost: GreetOptions.loud",
      "lost: Names",
      "lost: shout",
      "narrowed: GreetOptions",
      "narrowed: Page",
      "narrowed: greet",
      "narrowed: part",
    ]);
  });

  it("finds programs of the docs that print something else than messages, or fail", async () => {
    const found = await changes(
      [],
      [
        ['name + "!"', 'name + "?"'],
        ["(name) => name;", "(name) => name.trim().size();"],
      ],
    );
    expect(found).toEqual({
      failing: [
        "docs/page.md:0: printed 7!\n    and prints 7?",
        "docs/page.md:2: fails: TypeError: name.trim(...).size is not a function",
      ],
    });
  });
});
