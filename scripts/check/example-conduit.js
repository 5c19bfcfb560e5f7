// Checks the example application: its types, how much glue it has, and its tests on the embedded database, or one of
// them that is named. scripts/check/postgres-tests.js runs the same tests on PostgreSQL.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

install(join(root, "examples/conduit"), "what the example application needs");
install(join(root, "tests/openapi"), "a driver of browsers");
const isDone = [
  ["npm", "run", "--silent", "build"],
  ["npx", "--no-install", "tsc", "--noEmit", "-p", "examples/conduit"],
  [process.execPath, "examples/conduit/glue.js"],
  ["npx", "--no-install", "vitest", "run", `examples/conduit/${process.argv[2] ?? ""}`, "--typecheck.enabled=false"],
].every(([command, ...args]) => spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0);
process.exitCode = isDone ? 0 : 1;
