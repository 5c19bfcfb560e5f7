// Fails where no test has an error say what the catalog of errors lists, and where coverage is not whole: `npm run
// coverage` and the other tests of the sources write down what errors say, so that each test runs once for both. Where
// FINGERPOST_SAID names a folder, all tests have just run and written it there, as in `.ci/run`. What is printed and
// thrown by nobody counts where a test names it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalog } from "../build/error-pages.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** What `npm run coverage` does not run. */
const others = ["src/cli/", "src/servers/", "tests/cli/", "tests/servers/"];

/** The messages of rows of the catalog, and whether an error has them. */
export function messagesOf(rows) {
  return rows
    .filter((cells) => cells.length === 4)
    .flatMap(([cell, errorClass]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => ({
        text,
        isThrown: !/^(?:none|printed only)$/.test(errorClass),
      })),
    );
}

/** The messages of which nothing that was said is one, nor what tests name of those that no error has. */
export function unsaid(messages, said, tests) {
  const all = said.join("\0");
  return messages
    .filter(({ text, isThrown }) => !patternOf(text).test(all) && (isThrown || !patternOf(text).test(tests)))
    .map(({ text }) => text);
}

function saidIn(folder) {
  return readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
}

function testsBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(root, folder, file), "utf8"))
    .join("\0");
}

function patternOf(message) {
  const parts = message.split(/\{[a-z]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join("[^\\0]*?"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-messages-"));
  const before = process.env.FINGERPOST_SAID;
  const run = (command, ...args) =>
    spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, FINGERPOST_MESSAGES: folder } });
  const runs = [
    run("npm", "run", "--silent", "coverage"),
    ...(before === undefined
      ? [run("npx", "--no-install", "vitest", "run", ...others, "--typecheck.enabled=false")]
      : []),
  ];
  const said = (before === undefined ? [folder] : [before, folder]).flatMap(saidIn);
  rmSync(folder, { recursive: true });
  const messages = messagesOf(catalog());
  const missing = unsaid(messages, said, ["src", "tests/cli", "tests/contract"].map(testsBelow).join("\0"));
  for (const message of missing) console.error(`No test has an error say: ${message}`);
  console.log(`messages: ${messages.length - missing.length} of ${messages.length} are said in tests`);
  process.exitCode = missing.length === 0 && runs.every(({ status }) => status === 0) ? 0 : 1;
}
