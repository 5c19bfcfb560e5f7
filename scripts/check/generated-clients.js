// Installs seven generators of clients, and has what each makes of one document call one application.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

install(join(root, "tests/clients"), "generators of clients");
const args = ["--no-install", "vitest", "run", "tests/clients", "--typecheck.enabled=false"];
process.exitCode = spawnSync("npx", args, { cwd: root, stdio: "inherit" }).status ?? 1;
