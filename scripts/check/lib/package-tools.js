// Installs the tools of tests/package/ where that was not done since its lock file changed, and finds them.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../../build/install.js";

const folder = fileURLToPath(new URL("../../../tests/package", import.meta.url));

install(folder, "what checks the package");

/** Finds modules as that folder does. */
export const requireTool = createRequire(join(folder, "package.json"));

/** The file of a command of one of the packages. */
export function commandOf(name, file) {
  return join(folder, "node_modules", name, file);
}
