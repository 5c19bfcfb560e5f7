import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const src = fileURLToPath(new URL("./src/", import.meta.url));

export default defineConfig({
  // Tests and examples import the package by its public names; no build is needed to run them.
  resolve: {
    alias: [
      { find: /^fingerpost\/((?:modules|servers|middleware|content)\/.+)\.js$/, replacement: `${src}$1.ts` },
      { find: /^fingerpost\/((?:middleware|content)\/[^.]+)$/, replacement: `${src}$1.ts` },
      { find: /^fingerpost\/node$/, replacement: `${src}servers/node.ts` },
      { find: /^fingerpost\/(client(?:\/[^.]+)?)(?:\.js)?$/, replacement: `${src}$1.ts` },
      { find: /^fingerpost\/mcp$/, replacement: `${src}agents/mcp.ts` },
      { find: /^fingerpost\/(mock|openapi)(?:\.js)?$/, replacement: `${src}$1.ts` },
      { find: /^fingerpost\/(after|idempotency|sessions|webhooks)$/, replacement: `${src}state/$1.ts` },
      { find: /^fingerpost\/semantics$/, replacement: `${src}modules/http.semantics.ts` },
      { find: /^fingerpost$/, replacement: `${src}modules/http.native.ts` },
    ],
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
      provider: "v8",
      include: [
        "src/{http,routing,dispatch,application,json-schema,semantics,modules,sockets,middleware,fields,content,client,state,mock,agents}/**/*.ts",
      ],
      exclude: ["**/*.test.ts"],
      reporter: ["text"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
