import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";

/*
 * V8 copies a function into its callers only if it has at most 460 bytes of bytecode (`--max-inlined-bytecode-size`). What that
 * is worth was measured: see the comments that begin with PERF.
 */

const source = (path: string): string => JSON.stringify(fileURLToPath(new URL(`../../src/${path}`, import.meta.url)));
const { outputFiles } = buildSync({
  stdin: {
    contents: `
      import { PathIndexBuilder } from ${source("routing/path-index-builder.ts")};
      import { parsePathPattern } from ${source("routing/path-pattern.ts")};
      const builder = new PathIndexBuilder();
      builder.add(parsePathPattern("/users/:id"), 0);
      console.log(builder.build().match("http://h/users/7", true).param("id"));`,
    resolveDir: import.meta.dirname,
  },
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});

/** The lengths of the functions of that name in bytes, of which the longest is meant. */
function bytecodeOf(name: string): number {
  const flags = ["--print-bytecode", `--print-bytecode-filter=${name}`, "--input-type=module", "-"];
  const output = execFileSync(process.execPath, flags, { input: outputFiles[0]!.text, encoding: "utf8" });
  expect(output).toMatch(/^7$/m);
  return Math.max(...[...output.matchAll(/^Bytecode length: (\d+)$/gm)].map(([, length]) => Number(length)));
}

it("keeps PathIndex.match() so short that V8 copies it into its caller", () => {
  expect(bytecodeOf("match")).toBeLessThanOrEqual(460);
});

it("keeps PathMatch.param() so long that V8 does not copy it into each handler", () => {
  expect(bytecodeOf("param")).toBeGreaterThan(460);
});
