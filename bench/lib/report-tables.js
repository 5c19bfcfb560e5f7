import { ownName } from "./adapters.js";
import { figure, tableOf } from "./markdown.js";
import { ratioTo, rowsOf } from "./readings.js";

const titled = (title, body) => `## ${title}\n\n${body}`;

function namesOf(rows) {
  return [...new Set(rows.flatMap(({ results = [] }) => results.map(({ name }) => name)))];
}

/** Nanoseconds, and in brackets our cost over theirs. */
export function matchTable(title, result, section, wanted) {
  const rows = rowsOf(result, section, wanted).filter(({ results }) => results !== undefined);
  if (rows.length === 0) return "";
  const columns = [...new Set(rows.map(({ row }) => row))];
  const cellOf = (name, row) => {
    const found = rows
      .filter((one) => one.row === row)
      .flatMap(({ results }) => results.filter((one) => one.name === name))[0];
    if (found === undefined) return "–";
    return name === ownName
      ? `**${figure(found.ns)}**`
      : `${figure(Math.max(0, found.ns))} (${figure(ratioTo(found))})`;
  };
  const body = tableOf(
    ["ns (ours over theirs)", ...columns],
    namesOf(rows).map((name) => [name, ...columns.map((row) => cellOf(name, row))]),
  );
  return titled(title, `${body}${refusals(rows)}`);
}

/** Why the peers that are missing are. */
function refusals(rows) {
  const reasons = new Map(rows.flatMap(({ excluded = {} }) => Object.entries(excluded)));
  if (reasons.size === 0) return "";
  return (
    "\n\nNot measured: " +
    `${[...reasons].map(([name, why]) => `${name} (${why.replaceAll("|", "\\|").slice(0, 100)})`).join("; ")}.`
  );
}

export function scaleTable(result, row) {
  const rows = rowsOf(result, "scale", { row, consumption: "read" });
  if (rows.length === 0) return "";
  const sizes = rows.map(({ table }) => table.replace("synthetic-", ""));
  const cell = (name, { results }) => figure(results.find((one) => one.name === name)?.ns) || "–";
  const body = tableOf(
    ["routes", ...sizes],
    namesOf(rows).map((name) => [name, ...rows.map((one) => cell(name, one))]),
  );
  return titled(`Scaling, ${row}, ns, ${result.runtime}`, body);
}

export function buildTable(result) {
  const rows = rowsOf(result, "build");
  if (rows.length === 0) return "";
  const sizes = [...new Set(rows.map(({ row }) => row))];
  const cell = (name, row) => {
    const one = rows
      .filter((candidate) => candidate.row === row)
      .flatMap(({ results }) => results)
      .find((candidate) => candidate.name === name);
    if (one === undefined || one.refuses) return "refuses";
    // What a small table takes is less than what the rest of the heap changes by.
    const isBig = Number(row.replace("synthetic-", "")) >= 1000;
    return `${figure(one.cold)} us, again ${figure(one.warm)}${isBig ? `, ${figure(one.bytes)} B` : ""}`;
  };
  const body = tableOf(
    ["a route, of", ...sizes.map((size) => size.replace("synthetic-", ""))],
    namesOf(rows).map((name) => [name, ...sizes.map((row) => cell(name, row))]),
  );
  return titled(`Building, ${result.runtime}`, body);
}

export function figureTable(title, results, section, wanted, key) {
  const having = results.filter((result) =>
    rowsOf(result, section, wanted).some(({ results: some }) => some !== undefined),
  );
  if (having.length === 0) return "";
  const rows = having.map((result) => rowsOf(result, section, wanted));
  const cell = (name, of) =>
    figure(of.flatMap(({ results: some = [] }) => some).find((one) => one.name === name)?.[key]) || "–";
  const body = tableOf(
    ["", ...having.map(({ runtime }) => runtime)],
    namesOf(rows.flat()).map((name) => [name, ...rows.map((of) => cell(name, of))]),
  );
  return titled(title, body);
}

export function bytesTable(result) {
  const rows = rowsOf(result, "bytes").filter(({ results }) => results !== undefined);
  if (rows.length === 0) return "";
  const columns = [...new Set(rows.map(({ row }) => row))];
  const subjects = [
    ...new Set(rows.map(({ kind, results: [{ name }] }) => `${kind === "match" ? "match" : "handle()"}: ${name}`)),
  ];
  const cell = (subject, row) =>
    rows.find((one) => one.row === row && subject.endsWith(`: ${one.results[0].name}`) && subject.startsWith(one.kind))
      ?.results[0].bytes;
  const body = tableOf(
    ["bytes", ...columns],
    subjects.map((subject) => [subject, ...columns.map((row) => cell(subject, row)?.toFixed(0) ?? "–")]),
  );
  return titled(`Allocations, over the string or the floor, ${result.runtime}`, body);
}
