// Runs the tests of documents, of the typed client and of tools of agents with outside tools: generators of clients,
// the suite of MCP, and a browser where there is one. Then looks how long a large document takes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

install(join(root, "tests/openapi"), "the tools that read documents");
// The suite of MCP needs Node 22.
install(join(root, "tests/runtimes"), "the runtimes");
// `npm test` has made the attack, which needs no tools.
const files = [
  ...["page", "try-it", "clients", "examples", "conformance"].map((name) => `tests/openapi/${name}`),
  "tests/content/media-element",
  "examples/front-end",
];
const args = ["--no-install", "vitest", "run", ...files, "--typecheck.enabled=false"];
const isDone = [
  ["npx", args],
  [process.execPath, ["bench/document.js"]],
].every(([command, given]) => spawnSync(command, given, { cwd: root, stdio: "inherit" }).status === 0);
process.exitCode = isDone ? 0 : 1;
