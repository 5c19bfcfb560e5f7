// Checks an example application that is named, such as `conduit`: its types, how much glue it has, and its tests on the
// embedded database, or one of them that is named, too. scripts/check/postgres-tests.js runs the same tests on
// PostgreSQL.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [name, test = ""] = process.argv.slice(2);
const example = `examples/${name}`;

install(join(root, example), `what ${example} needs`);
install(join(root, "tests/openapi"), "a driver of browsers");
const isDone = [
  ["npm", "run", "--silent", "build"],
  ["npx", "--no-install", "tsc", "--noEmit", "-p", example],
  ["npm", "--prefix", example, "run", "--silent", "compile"],
  [process.execPath, `${example}/glue.js`],
  ["npx", "--no-install", "vitest", "run", `${example}/${test}`, "--typecheck.enabled=false"],
].every(([command, ...args]) => spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0);
process.exitCode = isDone ? 0 : 1;
