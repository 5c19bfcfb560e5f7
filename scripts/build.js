// Compiles the package to dist/, and the examples to dist/ in their folders, from nothing.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

for (const [project, output] of [
  ["tsconfig.build.json", "dist"],
  ["examples/quickstart/tsconfig.json", "examples/quickstart/dist"],
  ["examples/guarded/tsconfig.json", "examples/guarded/dist"],
]) {
  rmSync(root + output, { recursive: true, force: true });
  execFileSync(process.execPath, [compiler, "-p", project], { cwd: root, stdio: "inherit" });
}
