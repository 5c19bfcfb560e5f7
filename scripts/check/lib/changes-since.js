// What a release promised and this state does not keep: names that are lost, exports that take less or return other
// types, and programs of its docs that do not compile, fail, or print something else.
import { faultsOfPrograms } from "./compiled-programs.js";
import { exportsOf, narrowedExports } from "./interface-changes.js";
import { readInterface } from "./kept-interface.js";
import { moved, noMoves, targetOf } from "./moved-names.js";
import { printedBy, withoutPort } from "./run-programs.js";

/**
 * Compares the package in a folder, with its dist/, with what was kept. Moves are names that a page says have changed.
 * What was experimental is in `experimental`: it may change.
 */
export async function changesSince(root, before, moves = noMoves) {
  const now = readInterface(root);
  const { lost, pairs, exported } = namesSince(before, now, moves);
  const { narrowed, unclear } = narrowedExports(root, before.reports, now.reports, pairs);
  const gone = Object.keys(before.entries).filter((entry) => now.entries[targetOf(moves, entry, "*")] === undefined);
  const failing = await programsSince(root, before, moves);

  const all = { lost, narrowed, failing };
  const promised = Object.entries(all).map(([kind, faults]) => [kind, faults.filter(isPromised).map(textOf)]);
  const experimental = Object.values(all).flatMap((faults) => faults.filter((one) => !isPromised(one)).map(textOf));
  return { ...Object.fromEntries(promised), gone, unclear, experimental, exported };
}

const textOf = ({ text }) => text;
const isPromised = ({ wasExperimental }) => !wasExperimental;

/** Names and members that are lost; and pairs of exports for the compiler to compare. */
function namesSince(before, now, moves) {
  const lost = [];
  const pairs = [];
  let exported = 0;
  for (const [report, entry] of namedEntries(before)) {
    for (const [name, was] of exportsOf(before.reports[report])) {
      exported++;
      const target = targetOf(moves, entry, name);
      const row = moves.functions.find(
        (one) => one.name === name && one.parameters === null && (one.entry ?? entry) === entry,
      );
      const current = now.entries[target];
      const found = current === undefined ? undefined : exportsOf(now.reports[current]).get(row?.now ?? name);
      const lose = (what, wasExperimental) => lost.push({ text: `${name}${what}`, wasExperimental });
      if (found === undefined) {
        lose(` of ${entry}: ${target} has no such name`, was.isExperimental);
        continue;
      }
      for (const member of was.members)
        if (!found.members.has(member))
          lose(
            `.${member} of ${entry}: ${target} has no such member`,
            was.isExperimental || was.experimental.has(member),
          );
      if (was.isStable && found.isExperimental) lose(` of ${entry}: was stable, and is experimental`, false);
      pairs.push({ name, now: row?.now ?? name, entry, old: report, current, was, found });
    }
  }
  return { lost, pairs, exported };
}

/** An entry of several names is compared once, by the shortest. */
function namedEntries({ entries }) {
  const names = new Map();
  for (const [entry, report] of Object.entries(entries))
    if (entry.length < (names.get(report)?.length ?? Infinity)) names.set(report, entry);
  return names;
}

/** Messages of errors are for people, and promised to nobody. */
const withoutMessages = (text) => text.replaceAll(/(?<="detail":)"(?:[^"\\]|\\.)*"|\bCannot .*/g, "…");

/** The programs of the docs, each changed as the moves say, that do no longer what they did. */
async function programsSince(root, before, moves) {
  const programs = before.programs.map((program) => ({ ...program, code: moved(moves, program.code) }));
  const faults = faultsOfPrograms(root, programs);
  const running = programs.filter(({ printed }, at) => Array.isArray(printed) && faults[at].length === 0);
  const results = await printedBy(root, running);
  for (const [at, { lines, error }] of results.entries()) {
    const program = running[at];
    const [was, is] = [program.printed, lines].map((printed) => withoutMessages(withoutPort(printed.join("\n"))));
    if (error !== undefined) faults[programs.indexOf(program)].push(`fails: ${error.split("\n")[0]}`);
    else if (was !== is) faults[programs.indexOf(program)].push(`printed ${was}\n    and prints ${is}`);
  }
  const marked = Object.values(before.reports).flatMap((report) =>
    [...exportsOf(report)].flatMap(([name, { isExperimental }]) => (isExperimental ? [name] : [])),
  );
  const imports = new RegExp(`^import \\{[^}]*\\b(?:${marked.join("|")})\\b[^}]*\\} from "fingerpost`, "m");
  return programs.flatMap(({ place, code }, at) =>
    faults[at].map((fault) => ({
      text: `${place}: ${fault}`,
      wasExperimental: marked.length > 0 && imports.test(code),
    })),
  );
}
