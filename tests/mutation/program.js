// Writes one program of all tests, over sources that hold all their mutants: Stryker makes the mutants, and a global
// says which of them is there.
import { mkdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const suite = join(here, "../runtimes/suite/");

/** Returns the mutants of sources, and the sources that hold them. Paths are those from the root on. */
export async function mutantsOf(root, sources) {
  const { Instrumenter } = await import("@stryker-mutator/instrumenter");
  const logger = { debug() {}, info() {}, trace() {}, warn: console.warn, isDebugEnabled: () => false };
  const { files, mutants } = await new Instrumenter(logger).instrument(
    sources.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), "utf8") })),
    { plugins: null, excludedMutations: [], ignorers: [{ shouldIgnore: withCondition }] },
  );
  return { mutants, mutated: new Map(files.map(({ name, content }) => [name, content])) };
}

/**
 * Gives `for (;;)` after a label a condition. Stryker would put a mutant around the whole loop. The label would then
 * be in front of no loop any more, which is a syntax error.
 */
function withCondition({ node }) {
  if (node.type !== "LabeledStatement" || node.body.type !== "ForStatement" || node.body.test !== null) return;
  const { start, loc } = node.body;
  const end = { ...loc.start, column: loc.start.column + "for".length };
  node.body.test = { type: "BooleanLiteral", value: true, start, end: start + "for".length, loc: { ...loc, end } };
}

/** Writes the program that `child.js` loads: of the tests, those that import what has mutants. Returns where it is. */
export async function writeProgram(root, tests, mutated, name) {
  const outfile = join(here, `dist/${name}.mjs`);
  const inRoot = (path) => JSON.stringify(join(root, path));
  mkdirSync(join(here, "dist"), { recursive: true });
  const build = (chosen, more) =>
    esbuild.build({
      absWorkingDir: root,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      // Tests look at the names of classes.
      keepNames: true,
      packages: "external",
      logLevel: "warning",
      outfile,
      plugins: [{ name: "mutants", setup: (hooks) => replace(hooks, root, mutated) }],
      stdin: {
        resolveDir: root,
        contents: `
          export { registered, runOnce } from "vitest";
          export { restoreAllMocks } from "@vitest/spy";
          export { NotHere } from ${JSON.stringify(join(suite, "not-here.ts"))};
          export const files = [${chosen.map((path) => `[${JSON.stringify(path)}, () => import(${inRoot(path)})]`)}];`,
      },
      ...more,
    });
  const { metafile } = await build(tests, { metafile: true, write: false });
  await build(tests.filter((path) => imports(metafile, path, mutated)));
  return outfile;
}

/** Whether a file leads to one that has mutants. */
function imports({ inputs }, file, mutated) {
  const found = new Set([file]);
  for (const path of found) for (const { path: next } of inputs[path]?.imports ?? []) found.add(next);
  return [...found].some((path) => mutated.has(path));
}

function replace({ onResolve, onLoad }, root, mutated) {
  onResolve({ filter: /^vitest$/ }, ({ importer }) => ({
    path: importer.startsWith(join(root, "tests/cases") + sep) ? join(here, "one-test.ts") : join(suite, "registry.ts"),
  }));
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = mutated.get(path.slice(join(root, sep).length).replaceAll(sep, "/")) ?? readFileSync(path, "utf8");
    // Tests that look at files find them where the tests themselves are.
    return { contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)), loader: "ts" };
  });
}
