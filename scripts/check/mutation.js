// Mutates http, routing, dispatch, application, modules, and line and operation of semantics, and counts the mutants
// that no test notices: at most 5 of 100 may survive, of all and of those that `alone` lists by themselves. Each of
// them is listed with a reason in tests/mutation/equivalent.json, by its code, and each run writes all into
// reports/survivors.md. With folders or files, only those, and each by itself:
// `npm run mutation -- src/dispatch src/application`.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = `${root}tests/mutation/`;
const asked = process.argv.slice(2).map((path) => path.replace(/\/$/, ""));

install(tools, "what changes the code");
const stryker = `${tools}node_modules/@stryker-mutator/core/bin/stryker.js`;
const globs = asked.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.ts`));
const limits = asked.length > 0 ? ["--mutate", [...globs, "!**/*.test.ts"].join(",")] : [];
const { status } = spawnSync(process.execPath, [stryker, "run", "tests/mutation/stryker.config.json", ...limits], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);

const { files, testFiles } = JSON.parse(readFileSync(`${root}reports/mutation.json`, "utf8"));
// A file of tests that does not load notices nothing, and Stryker does not say so.
const list = ["vitest", "list", "--config", "tests/mutation/vitest.config.ts", "--filesOnly", "--json"];
const tests = JSON.parse(execFileSync("npx", ["--no-install", ...list], { cwd: root, encoding: "utf8" }));
const silent = tests.map(({ file }) => file.slice(root.length)).filter((file) => testFiles[file] === undefined);
if (silent.length > 0) {
  console.error(`mutation: these tests were not run: ${silent.join(", ")}`);
  process.exit(1);
}
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
const isSurvivor = ({ state }) => state === "Survived" || state === "NoCoverage";
const isCounted = (mutant) => isSurvivor(mutant) || mutant.state === "Killed" || mutant.state === "Timeout";
const equivalent = JSON.parse(readFileSync(`${tools}equivalent.json`, "utf8"));
const isListed = (mutant) => reasonOf(mutant) !== undefined;

// The request's way is judged by itself, too.
const alone = ["src/dispatch", "src/application", "src/semantics/line", "src/semantics/operation"];
const judged = asked.length > 0 ? asked : ["src", ...alone];
const isIn = ({ file }, path) => `${file}/`.startsWith(`${path}/`);

for (const mutant of mutants) {
  if (!isSurvivor(mutant) || isListed(mutant) || !judged.some((path) => isIn(mutant, path))) continue;
  const { file, at, line, original, replacement } = mutant;
  console.log(`${file}:${at}  ${line}\n    ${original} => ${replacement.slice(0, 120)}`);
}
const good = judged.map(isGood).every(Boolean);
writeFileSync(`${root}reports/survivors.md`, `${pageOf(mutants.filter(isSurvivor))}\n`);

// A reason whose code is gone explains nothing.
const made = new Set(mutants.map(({ line, replacement }) => keyOf(line) + keyOf(replacement)));
const reasons = equivalent.flatMap(({ code }) =>
  Object.entries(code).flatMap(([line, changes]) => changes.map((change) => [line, change])),
);
const stale = asked.length > 0 ? [] : reasons.filter(([line, change]) => !made.has(keyOf(line) + keyOf(change)));
for (const [line, change] of stale)
  console.error(`equivalent.json explains what nobody changes; remove it: ${line} => ${change}`);
process.exitCode = good && stale.length === 0 ? 0 : 1;

/** Whether at least 95 of 100 mutants of a folder or file were noticed. */
function isGood(path) {
  const counted = mutants.filter((mutant) => isIn(mutant, path) && isCounted(mutant));
  const survivors = counted.filter(isSurvivor);
  const unlisted = survivors.filter((mutant) => !isListed(mutant));
  const score = (100 * (counted.length - survivors.length)) / counted.length;
  console.log(
    `mutation: ${path} ${counted.length} mutants, ${survivors.length} survived, ${unlisted.length} of them without a reason; ` +
      `score ${score.toFixed(2)}`,
  );
  return score >= 95;
}

/** Why no test can notice a mutant; undefined where nobody has said so. */
function reasonOf({ line, replacement }) {
  return equivalent.find(({ code }) => code[keyOf(line)]?.includes(keyOf(replacement)))?.because;
}

function pageOf(survivors) {
  const rows = survivors.map((mutant) => {
    const { file, at, line, replacement } = mutant;
    return [`${file}:${at}`, line, replacement, reasonOf(mutant) ?? ""].map(cellOf).join(" | ");
  });
  return [
    "| line | code | becomes | why nothing fails |",
    "|---|---|---|---|",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}

/** Text as the list of reasons has it. */
function keyOf(text) {
  return text.replaceAll("\n", " ").slice(0, 120);
}

function cellOf(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
