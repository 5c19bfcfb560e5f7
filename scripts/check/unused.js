// Has knip look for files, exports and dependencies that nothing uses.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { commandOf } from "./lib/package-tools.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { status } = spawnSync(process.execPath, [commandOf("knip", "bin/knip.js"), "--no-progress"], {
  cwd: root,
  stdio: "inherit",
});
if (status === 0) console.log("unused: no file, export or dependency is unused");
process.exitCode = status ?? 1;
