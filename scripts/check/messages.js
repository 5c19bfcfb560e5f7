// Fails where no test has an error say what the catalog of errors lists, and where coverage is not whole: `npm run
// coverage` and the other tests of the sources write down what errors say, so that each test runs once for both. Where
// FINGERPOST_SAID names a folder, all tests have just run and written both there, as in `.ci/run`. What is printed and
// thrown by nobody counts where a test names it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

/** The files of a summary of coverage of which something is not covered; nothing is, where there is no summary. */
export function uncovered(summary = { "any file": { lines: { covered: 0, total: 1 } } }) {
  return Object.entries(summary)
    .filter(([file, counts]) => file !== "total" && Object.values(counts).some(({ covered, total }) => covered < total))
    .map(([file]) => file);
}

/** Runs the tests that can have errors of the sources speak, each once: whether all pass, and cover what they must. */
function runTests(folder) {
  const env = { ...process.env, FINGERPOST_MESSAGES: folder };
  const run = (command, args, more) =>
    spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...env, ...more } }).status === 0;
  const isCovered = run("npm", ["run", "--silent", "coverage"], { FINGERPOST_COVERAGE: join(folder, "coverage") });
  return run("npx", ["--no-install", "vitest", "run", ...others, "--typecheck.enabled=false"]) && isCovered;
}

function saidIn(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
}

function testsBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(root, folder, file), "utf8"))
    .join("\0");
}

function patternOf(message) {
  const parts = message.split(/\{[a-z]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // What a message may begin or end with says nothing, and would be looked for from each character on.
  const told = parts.slice(parts[0] === "" ? 1 : 0, parts.at(-1) === "" ? -1 : undefined);
  return new RegExp(told.join("[^\\0]*?"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.env.FINGERPOST_SAID ?? mkdtempSync(join(tmpdir(), "fingerpost-messages-"));
  const hasRun = process.env.FINGERPOST_SAID !== undefined || runTests(folder);
  const said = saidIn(folder);
  const summary = join(folder, "coverage", "coverage-summary.json");
  const bare = uncovered(existsSync(summary) ? JSON.parse(readFileSync(summary, "utf8")) : undefined);
  if (process.env.FINGERPOST_SAID === undefined) rmSync(folder, { recursive: true });
  const messages = messagesOf(catalog());
  const missing = unsaid(messages, said, ["src", "tests/cli", "tests/contract"].map(testsBelow).join("\0"));
  for (const message of missing) console.error(`No test has an error say: ${message}`);
  for (const file of bare) console.error(`No test covers all of ${file}`);
  console.log(`messages: ${messages.length - missing.length} of ${messages.length} are said in tests`);
  process.exitCode = hasRun && missing.length + bare.length === 0 ? 0 : 1;
}
