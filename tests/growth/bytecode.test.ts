import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";

const program = `
import { Leaf } from "./path-match.ts";
new Leaf("/", null, { names: [], taken: 0, groups: [], isEmptyRest: false, mayBeEmpty: false, isOpen: false }).match().param("x");
`;

const node = (...args: string[]): string => execFileSync(process.execPath, args, { encoding: "utf8" });

it("keeps PathMatch.param() too long for V8 to inline", () => {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL("../../src/routing/", import.meta.url)) },
    bundle: true,
    write: false,
  });
  const printed = node("--print-bytecode", "--print-bytecode-filter=param", "--eval", outputFiles[0]!.text);
  const length = Number(/Bytecode length: (\d+)/.exec(printed)![1]);
  const limit = Number(/max-inlined-bytecode-size=(\d+)/.exec(node("--v8-options"))![1]);
  expect(limit).toBeGreaterThan(0);
  expect(length).toBeGreaterThan(limit);
});
