import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const src = fileURLToPath(new URL("../../src/", import.meta.url));

/** The tests that are fast and say exactly what is wrong: each mutant is tried with those of them that reach it. */
export default defineConfig({
  resolve: { alias: [{ find: /^fingerpost\/((?:modules|servers|middleware)\/.+)\.js$/, replacement: `${src}$1.ts` }] },
  test: {
    include: ["src/{http,routing,core,modules}/**/*.test.ts", "tests/{contract,cases}/**/*.test.ts"],
    // They bundle, run other processes, open sockets, or read pages that are not copied.
    exclude: [
      "**/node_modules/**",
      "tests/contract/1-package.test.ts",
      "tests/contract/6-servers.test.ts",
      "tests/cases/paths-page.test.ts",
    ],
    testTimeout: 60_000,
  },
});
