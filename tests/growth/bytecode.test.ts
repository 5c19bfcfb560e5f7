import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";

/*
 * V8 copies a function into its callers only up to a length, 460 bytes of bytecode. What that is worth was measured:
 * see the comments that begin with PERF.
 */

const options = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
const limit = Number(/max-inlined-bytecode-size=(\d+)/.exec(options)![1]);

const source = (path: string): string => JSON.stringify(fileURLToPath(new URL(`../../src/${path}`, import.meta.url)));
const { outputFiles } = buildSync({
  stdin: {
    contents: `
      import { PathIndexBuilder } from ${source("routing/build/path-index-builder.ts")};
      import { parsePathPattern } from ${source("routing/pattern/path-pattern.ts")};
      const builder = new PathIndexBuilder();
      builder.add(parsePathPattern("/users/:id"), 0);
      console.log(builder.build().match("http://h/users/7", 8).param("id"));`,
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
  expect(limit).toBeGreaterThan(0);
  expect(bytecodeOf("match")).toBeLessThanOrEqual(limit);
});
