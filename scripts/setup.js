// Installs what the lock file names, unless node_modules already holds it: `npm start` on a fresh clone needs no other step.
import { execSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const changed = (file) => statSync(root + file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changed("node_modules/.package-lock.json") < changed("package-lock.json")) {
  console.log("Installing the development tools …");
  execSync("npm ci --silent", { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}
