// Takes coverage as @vitest/coverage-v8 does, but only in tests of the folders that `npm run coverage` names, so that a
// run of all tests judges what that command judges. What tests of other folders pass on their way covers nothing, and
// tests of growth, which measure V8, are not measured meanwhile.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import v8 from "@vitest/coverage-v8";
import type { CoverageProvider, CoverageProviderModule } from "vitest/node";

interface Worker {
  readonly ctx: { readonly files: readonly { readonly filepath: string }[] };
}

type Taken = Required<Pick<CoverageProviderModule, "startCoverage" | "takeCoverage" | "stopCoverage">>;

const { startCoverage, takeCoverage, stopCoverage } = v8 as unknown as Taken;
const root = fileURLToPath(new URL("../..", import.meta.url));

const coverage: CoverageProviderModule = {
  startCoverage: async (options) => (isCovering() ? startCoverage(options) : undefined),
  takeCoverage: async (options) => (isCovering() ? takeCoverage(options) : undefined),
  stopCoverage: async (options) => (isCovering() ? stopCoverage(options) : undefined),
  async getProvider() {
    const provider = await (v8 as unknown as CoverageProviderModule).getProvider();
    const { resolveOptions } = provider;
    // Workers load the module that these options name.
    provider.resolveOptions = (): ReturnType<CoverageProvider["resolveOptions"]> => ({
      ...resolveOptions.call(provider),
      provider: "custom",
    });
    return provider;
  },
};
export default coverage;

/** Whether the test of this process is of one of the folders. */
function isCovering(): boolean {
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    scripts: Record<string, string>;
  };
  const folders = scripts["coverage"]!.split(" ").filter((word) => word.endsWith("/"));
  // The state of a worker of vitest, which knows no other way to ask before a test is loaded.
  const { files } = (Reflect.get(globalThis, "__vitest_worker__") as Worker).ctx;
  return files.some(({ filepath }) => folders.some((folder) => relative(root, filepath).startsWith(folder)));
}
