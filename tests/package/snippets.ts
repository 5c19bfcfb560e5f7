// The programs in Markdown, and what they say that they print.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Snippet {
  /** The page and the line, as `docs/params.md:3`. */
  readonly place: string;
  readonly code: string;
  /** The name that the page gives to the file: ```` ```js [books.js] ````. */
  readonly file: string | null;
  /** All that it prints, if a block without a language follows; else null. */
  readonly output: string | null;
  /** The comments at the ends of lines: whatever it prints is among them, in order. */
  readonly comments: readonly string[];
}

const pattern = /^```(?:ts|js)(?: \[(?<file>[^\]]+)\])?\n(?<code>.*?)^```\n(?:\n+```\n(?<output>.*?)^```$)?/gms;

/** The programs of a page, in order. */
export function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(pattern)].map(({ index, groups }) => {
    const { code = "", file = null, output = null } = groups as Record<string, string | undefined>;
    const line = text.slice(0, index).split("\n").length;
    const comments = [...code.matchAll(/;\s*\/\/ (.*)$/gm)].map(([, comment]) => comment!);
    return { place: `${page}:${line}`, code, file, output, comments };
  });
}

/** All pages whose programs must work. */
export function pages(): string[] {
  const docs = (readdirSync(join(root, "docs"), { recursive: true }) as string[])
    .filter((file) => file.endsWith(".md") && !/node_modules|\.vitepress/.test(file))
    .map((file) => `docs/${file}`);
  const decisions = readdirSync(join(root, "decisions")).map((file) => `decisions/${file}`);
  return ["README.md", ...docs.toSorted(), ...decisions];
}

/** Puts the package into a folder, as an installation would: its entries, made from the sources. */
export async function install(folder: string): Promise<void> {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, { default?: string }>;
  };
  const entries = Object.values(exports).flatMap(({ default: file }) => (file === undefined ? [] : [file]));
  const outdir = join(folder, "node_modules/fingerpost");
  await build({
    entryPoints: Object.fromEntries(
      entries.map((file) => [file.slice(2, -3), join(root, file.replace("./dist/", "src/").replace(/\.js$/, ".ts"))]),
    ),
    outdir,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  copyFileSync(join(root, "package.json"), join(outdir, "package.json"));
}
