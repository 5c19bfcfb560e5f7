// Installs the tools of tests/package/ where that was not done since its lock file changed, and finds them.
import { execSync } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../tests/package", import.meta.url));
const changed = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changed("node_modules/.package-lock.json") < changed("package-lock.json")) {
  console.log("Installing what checks the package …");
  execSync("npm install --no-save --no-progress --loglevel=error", {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Finds modules as that folder does. */
export const requireTool = createRequire(join(folder, "package.json"));

/** The file of a command of one of the packages. */
export function commandOf(name, file) {
  return join(folder, "node_modules", name, file);
}
