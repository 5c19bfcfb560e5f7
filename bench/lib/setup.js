import { execSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Installs what a lock file of the bench names, unless its node_modules already holds it. */
export function install(folder = "") {
  const root = fileURLToPath(new URL(`../${folder}`, import.meta.url));
  const changed = (file) => statSync(root + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed("node_modules/.package-lock.json") >= changed("package-lock.json")) return;
  console.log(`Installing what bench/${folder} compares with …`);
  execSync("npm install --no-save --silent", { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}
