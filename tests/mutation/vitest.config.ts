import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import everyTest from "../../vitest.config.ts";

const order = [/\/src\//, /\/contract\//, /\/cases\//];
const place = ({ moduleId }: TestSpecification): number => order.findIndex((folder) => folder.test(moduleId));

/** A mutant is done with when one test fails: those beside its file come first, and the tables last. */
class MostLikelyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

const oneTest = fileURLToPath(new URL("one-test.ts", import.meta.url));

/** The tests that are fast and say exactly what is wrong: each mutant is tried with those of them that reach it. */
export default defineConfig({
  plugins: [
    {
      name: "one-test",
      enforce: "pre",
      resolveId: (source, importer) =>
        source === "vitest" && importer?.includes("/tests/cases/") === true ? oneTest : null,
    },
  ],
  resolve: everyTest.resolve!,
  test: {
    include: [
      "src/{http,routing,dispatch,application,modules,semantics}/**/*.test.ts",
      "tests/{contract,cases}/**/*.test.ts",
    ],
    // They bundle, run other processes, open sockets, or read pages that are not copied.
    exclude: [
      "**/node_modules/**",
      "tests/contract/1-package.test.ts",
      "tests/contract/6-servers.test.ts",
      "tests/cases/paths-page.test.ts",
    ],
    sequence: { sequencer: MostLikelyFirst },
    testTimeout: 60_000,
  },
});
