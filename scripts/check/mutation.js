// Mutates http, routing, dispatch, application, modules, and line and operation of semantics, and counts the mutants
// that no test notices: at most 5 of 100 may survive, of all and of those that `alone` lists by themselves. Each of
// them is listed with a reason in tests/mutation/equivalent.json, by its code, and each run writes all into
// reports/survivors.md. With folders or files, only those, and each by itself:
// `npm run mutation -- src/dispatch src/application`. MUTATION_WORKERS says how many processes try mutants, if not one
// for each core.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { install } from "../build/install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = `${root}tests/mutation/`;
const asked = process.argv.slice(2).map((path) => path.replace(/\/$/, ""));

const mutated = ["http", "routing", "dispatch", "application", "modules", "semantics/line", "semantics/operation"];
/** The tests that are fast and say exactly what is wrong: each mutant is tried with those of them that reach it. */
const trying = ["http", "routing", "dispatch", "application", "hosts", "modules", "writes", "semantics", "state"];
const folders = [...trying.map((name) => `src/${name}`), "tests/contract", "tests/cases"];
// Tests that bundle, run other processes, open sockets, take seconds, list files, or replace a module before it loads.
const without = [
  "tests/contract/1-package",
  "tests/contract/6-servers",
  "tests/cases/paths-page",
  "tests/cases/pairs",
  "tests/cases/members",
  "src/state/after",
  "tests/contract/22-documents",
];
const replacing = ["framed-content", "passed-answers"].map((name) => `src/semantics/line/${name}`);
const excluded = [...without, ...replacing].map((name) => `${name}.test.ts`);

const from = Date.now();
install(tools, "what changes the code");
const { mutantsOf, writeProgram } = await import("../../tests/mutation/program.js");
const { tried } = await import("../../tests/mutation/trials.js");
const places = asked.length > 0 ? asked : mutated.map((name) => `src/${name}`);
const sources = [...new Set(places.flatMap(filesOf))].filter((file) => !file.endsWith(".test.ts"));
const tests = folders.flatMap(filesOf).filter((file) => file.endsWith(".test.ts") && !excluded.includes(file));
const made = await mutantsOf(root, sources);
const program = await writeProgram(root, tests, made.mutated, "program");
const workers = Number(process.env.MUTATION_WORKERS ?? availableParallelism());
const outcomes = await tried(program, made.mutants, workers).catch((error) => {
  console.error(`mutation: ${error.message}`);
  process.exit(1);
});
const mutants = outcomes.map(({ fileName: file, location: { start, end }, replacement, state }) => {
  const lines = readFileSync(root + file, "utf8").split("\n");
  const original = lines[start.line].slice(start.column, start.line === end.line ? end.column : undefined);
  return { file, state, at: start.line + 1, line: lines[start.line].trim(), original, replacement };
});
const equivalent = JSON.parse(readFileSync(`${tools}equivalent.json`, "utf8"));
const isListed = (mutant) => reasonOf(mutant) !== undefined;
const isSurvivor = ({ state }) => state === "Survived" || state === "NoCoverage";
const isCounted = (mutant) => isSurvivor(mutant) || mutant.state === "Killed" || mutant.state === "Timeout";

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
mkdirSync(`${root}reports`, { recursive: true });
writeFileSync(`${root}reports/survivors.md`, `${pageOf(mutants.filter(isSurvivor))}\n`);

// A reason whose code is gone explains nothing.
const changes = new Set(mutants.map(({ line, replacement }) => keyOf(line) + keyOf(replacement)));
const reasons = equivalent.flatMap(({ code }) =>
  Object.entries(code).flatMap(([line, listed]) => listed.map((change) => [line, change])),
);
const stale = asked.length > 0 ? [] : reasons.filter(([line, change]) => !changes.has(keyOf(line) + keyOf(change)));
for (const [line, change] of stale)
  console.error(`equivalent.json explains what nobody changes; remove it: ${line} => ${change}`);
process.exitCode = good && stale.length === 0 ? 0 : 1;

/** The files of a folder, or the one file. */
function filesOf(path) {
  if (path.endsWith(".ts")) return [path];
  const files = readdirSync(root + path, { recursive: true }).map((file) => `${path}/${file.replaceAll("\\", "/")}`);
  return files.filter((file) => file.endsWith(".ts")).toSorted();
}

/** Whether at least 95 of 100 mutants of a folder or file were noticed. */
function isGood(path) {
  const counted = mutants.filter((mutant) => isIn(mutant, path) && isCounted(mutant));
  const survivors = counted.filter(isSurvivor);
  const unlisted = survivors.filter((mutant) => !isListed(mutant));
  const score = (100 * (counted.length - survivors.length)) / counted.length;
  console.log(
    `mutation: ${path} ${counted.length} mutants, ${survivors.length} survived, ${unlisted.length} of them without a ` +
      "reason; " +
      `score ${score.toFixed(2)}, in ${Math.round((Date.now() - from) / 1000)} s`,
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
