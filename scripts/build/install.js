import { execSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";

/** Installs what the lock file of a folder names, unless its node_modules already holds that. */
export function install(folder, what, command = "npm install --no-save") {
  const changed = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed("node_modules/.package-lock.json") >= changed("package-lock.json")) return;
  console.log(`Installing ${what} …`);
  execSync(`${command} --no-progress --loglevel=error`, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}
