// Mutates http, routing, core and modules, and counts the mutants that no test notices: at most 5 of 100 may survive, and each
// of them is listed with a reason in tests/mutation/survivors.md.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = `${root}tests/mutation/`;

install(tools, "what changes the code", "npm ci");
const stryker = `${tools}node_modules/@stryker-mutator/core/bin/stryker.js`;
const { status } = spawnSync(process.execPath, [stryker, "run", "tests/mutation/stryker.config.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);

const { files } = JSON.parse(readFileSync(`${root}reports/mutation.json`, "utf8"));
const tried = Object.values(files).flatMap(({ mutants: all }) => all);
const everyTest = Math.max(...tried.map(({ testsCompleted }) => testsCompleted ?? 0));
/** Stryker does not count a file that fails to load as a test that fails, but its tests are not run. */
const isUnloadable = ({ static: isStatic, testsCompleted }) => isStatic === true && testsCompleted < 0.9 * everyTest;
const mutants = Object.entries(files).flatMap(([file, { source, mutants: found }]) =>
  found.map((mutant) => {
    const { location, replacement, mutatorName } = mutant;
    const { start, end } = location;
    const state = mutant.status === "Survived" && isUnloadable(mutant) ? "Killed" : mutant.status;
    const lines = source.split("\n");
    const line = lines[start.line - 1].trim();
    const until = start.line === end.line ? end.column - 1 : undefined;
    const original = lines[start.line - 1].slice(start.column - 1, until);
    return { file, state, at: start.line, line, original, replacement: replacement ?? mutatorName };
  }),
);
const caught = mutants.filter(({ state }) => state === "Killed" || state === "Timeout").length;
const survivors = mutants.filter(({ state }) => state === "Survived" || state === "NoCoverage");
const listed = readFileSync(`${tools}survivors.md`, "utf8");
const unlisted = survivors.filter(
  ({ line, replacement }) => !listed.includes(`${keyOf(line)} | ${keyOf(replacement)}`),
);

for (const { file, at, line, original, replacement } of unlisted) {
  console.log(`${file}:${at}  ${line}\n    ${original} => ${replacement.slice(0, 120)}`);
}
const score = (100 * caught) / (caught + survivors.length);
console.log(
  `mutation: ${caught + survivors.length} mutants, ${survivors.length} survived, ${unlisted.length} of them without a reason; ` +
    `score ${score.toFixed(2)}`,
);
process.exitCode = score >= 95 ? 0 : 1;

/** Text as a cell of a table holds it. */
function keyOf(text) {
  return `\`${text.replaceAll("|", "\\|").replaceAll("\n", " ").slice(0, 120)}\``;
}
