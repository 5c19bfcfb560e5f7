// Runs the examples of mounted frameworks, each asked by its own client.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

install(join(root, "examples/mounting"), "the frameworks to mount");
const args = ["--no-install", "vitest", "run", "examples/mounting", "--typecheck.enabled=false"];
process.exitCode = spawnSync("npx", args, { cwd: root, stdio: "inherit" }).status ?? 1;
