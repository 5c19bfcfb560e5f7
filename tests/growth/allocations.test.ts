import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";

interface Measured {
  readonly path: string;
  readonly length: number;
  readonly slices: readonly number[];
  readonly matching: readonly number[];
  readonly handling: readonly number[];
}

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { outputFiles } = buildSync({
  entryPoints: [at("bytes-allocated.ts")],
  alias: Object.fromEntries(
    ["native", "polyfill"].map((chain) => [
      `fingerpost/modules/http.${chain}.js`,
      at(`../../src/modules/http.${chain}.ts`),
    ]),
  ),
  bundle: true,
  format: "esm",
  write: false,
});
const flags = ["--expose-gc", "--no-opt", "--no-maglev", "--no-sparkplug", "--input-type=module", "-"];
const { nothing, promise, measured } = JSON.parse(
  execFileSync(process.execPath, flags, { input: outputFiles[0]!.text, encoding: "utf8" }),
) as { readonly nothing: number; readonly promise: number; readonly measured: readonly Measured[] };

/** Of a path as it is, and in a URL: a text of at most twelve characters is compared by a slice. */
const slicesOf = ({ length, slices }: Measured): readonly number[] => (length <= 12 ? slices : [0, 0]);

it("measures bytes", () => {
  expect(nothing).toBe(0);
  expect(promise).toBeGreaterThan(16);
  expect(measured.flatMap(({ slices }) => slices)).toContain(0);
});

it("allocates nothing to match a path without params, but a slice of a short one", () => {
  for (const one of measured) expect([one.path, ...one.matching]).toEqual([one.path, ...slicesOf(one)]);
  expect(Math.max(...measured.flatMap(slicesOf))).toBeLessThanOrEqual(32);
});

it("allocates nothing but a Promise to answer that, besides", () => {
  for (const one of measured) {
    expect([one.path, ...one.handling]).toEqual([one.path, ...slicesOf(one).map((bytes) => promise + bytes)]);
  }
});
