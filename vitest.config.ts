import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
// @ts-expect-error -- scripts are not compiled
import { sourcesOf } from "./scripts/build/entry-lists.js";

const { exports } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const { FINGERPOST_COVERAGE } = process.env;

export default defineConfig({
  // Tests and examples import the package by its public names; no build is needed to run them.
  resolve: {
    alias: [...sourcesOf(exports)].map(([name, source]) => ({
      find: new RegExp(`^${name.replaceAll(".", "\\.")}$`),
      replacement: fileURLToPath(new URL(source, import.meta.url)),
    })),
  },
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts", "examples/**/*.test.ts"],
    // Templates are tested as a user tests them, by `scripts/check/templates.js`.
    exclude: ["**/node_modules/**", "**/dist/**", "tests/runtimes/**", "examples/template-*/**"],
    typecheck: {
      enabled: true,
      include: ["tests/types/**/*.test-d.ts"],
      tsconfig: "tests/types/tsconfig.json",
    },
    setupFiles: ["./tests/support/seeded.ts", "./tests/support/recorded-errors.ts"],
    // All cores: vitest leaves one idle.
    maxWorkers: "100%",
    // No test is about time; this one is for tests that hang.
    testTimeout: 60_000,
    reporters: ["default", "./tests/support/closing-line.ts"],
    coverage: {
      // With this, a run of all tests judges what `npm run coverage` does, as in `.ci/run`.
      enabled: FINGERPOST_COVERAGE !== undefined,
      reportsDirectory: FINGERPOST_COVERAGE ?? "coverage",
      provider: "custom",
      customProviderModule: "./tests/support/coverage.ts",
      include: [
        "src/{http,routing,dispatch,application,json-schema,formats,writes,semantics,modules,sockets,middleware,fields,content,client,state,mock,agents}/**/*.ts",
      ],
      exclude: ["**/*.test.ts"],
      reporter: [["text", { skipFull: true }], "json-summary"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
