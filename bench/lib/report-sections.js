import { ownName } from "./adapters.js";
import { rowsOf } from "./goals.js";
import { figure, tableOf } from "./markdown.js";

/** The tables of all that was measured: in full for the first runtime, and the mixed rows for all of them. */
export function sectionsOf(results) {
  const [first] = results;
  if (first === undefined) return [];
  const on = first.runtime;
  return [
    `### Where a peer is ahead\n\n${ahead(results)}`,
    matchTable(`Hono's table, ${on}`, first, "hono", { table: "hono", mode: "url", consumption: "read" }, "hono"),
    matchTable(`Hono's table, match only, ${on}`, first, "hono", { table: "hono", mode: "url", consumption: "match" }),
    matchTable(`Hono's table without a query, ${on}`, first, "hono", {
      table: "hono",
      mode: "urlnq",
      consumption: "read",
    }),
    matchTable(`Hono's table, path only, ${on}`, first, "hono", { table: "hono", mode: "slice", consumption: "read" }),
    matchTable(`Hono's table, raw request targets, ${on}`, first, "hono", {
      table: "hono",
      mode: "target",
      consumption: "read",
    }),
    matchTable(`GitHub v3, 203 routes, ${on}`, first, "github", { table: "github-v3", consumption: "read" }, "github"),
    matchTable(`GitHub v3, match only, ${on}`, first, "github", { table: "github-v3", consumption: "match" }),
    matchTable(
      `octokit, 1,014 routes, ${on}`,
      first,
      "github",
      { table: "github-octokit", consumption: "read" },
      "octokit",
    ),
    matchTable(`octokit, match only, ${on}`, first, "github", { table: "github-octokit", consumption: "match" }),
    matchTable(`Optional-heavy, ${on}`, first, "special", { table: "optional-heavy" }, "special"),
    matchTable(`Constrained-heavy, ${on}`, first, "special", { table: "constrained-heavy" }),
    matchTable(`Expression-heavy, ${on}`, first, "special", { table: "expression-heavy" }),
    matchTable(`Hostile paths of 8 kB, ${on}`, first, "hostile", {}),
    ...["static", "dynamic", "miss"].map((row) => scaleTable(first, row)),
    buildTable(first),
    figureTable("Cold start of routers, ms", results, "cold", { row: "router" }, "ms", "cold"),
    figureTable("Cold start of applications, ms", results, "cold", { row: "app" }, "ms"),
    figureTable(
      "handle() over `async () => response`, shared response, ns",
      results,
      "handle",
      { response: "shared" },
      "ns",
      "handle",
    ),
    figureTable("handle() over `async () => new Response()`, ns", results, "handle", { response: "new" }, "ns"),
    figureTable("Refusals, x an ordinary error", results, "refuse", {}, "ratio"),
    bytesTable(first),
    figureTable("Server CPU a request, us, pipelined", results, "http", { row: "pipelined 8" }, "cpu", "http"),
    figureTable("Requests a second, x raw node:http, pipelined", results, "http", { row: "pipelined 8" }, "rate"),
    figureTable("Server CPU a request, us, one at a time", results, "http", { row: "pipelined 1" }, "cpu"),
  ].filter((section) => section !== "");
}

const titled = (title, body, plot) =>
  `### ${title}\n\n${plot === undefined ? "" : `![${title}](results/${plot}.svg)\n\n`}${body}`;

function namesOf(rows) {
  return [...new Set(rows.flatMap(({ results = [] }) => results.map(({ name }) => name)))];
}

/** Nanoseconds, and in brackets our cost over theirs. */
function matchTable(title, result, section, wanted, plot) {
  const rows = rowsOf(result, section, wanted).filter(({ results }) => results !== undefined);
  if (rows.length === 0) return "";
  const columns = [...new Set(rows.map(({ row }) => row))];
  const cellOf = (name, row) => {
    const found = rows
      .filter((one) => one.row === row)
      .flatMap(({ results }) => results.filter((one) => one.name === name))[0];
    if (found === undefined) return "–";
    return name === ownName ? `**${figure(found.ns)}**` : `${figure(found.ns)} (${figure(found.ratio)})`;
  };
  const body = tableOf(
    ["ns (ours over theirs)", ...columns],
    namesOf(rows).map((name) => [name, ...columns.map((row) => cellOf(name, row))]),
  );
  return titled(title, `${body}${refusals(rows)}`, plot);
}

/** Why the peers that are missing are. */
function refusals(rows) {
  const reasons = new Map(rows.flatMap(({ excluded = {} }) => Object.entries(excluded)));
  if (reasons.size === 0) return "";
  return `\n\nNot measured: ${[...reasons].map(([name, why]) => `${name} (${why.replaceAll("|", "\\|").slice(0, 100)})`).join("; ")}.`;
}

function scaleTable(result, row) {
  const rows = rowsOf(result, "scale", { row });
  if (rows.length === 0) return "";
  const sizes = rows.map(({ table }) => table.replace("synthetic-", ""));
  const cell = (name, { results }) => figure(results.find((one) => one.name === name)?.ns) || "–";
  const body = tableOf(
    ["routes", ...sizes],
    namesOf(rows).map((name) => [name, ...rows.map((one) => cell(name, one))]),
  );
  return titled(`Scaling, ${row}, ns, ${result.runtime}`, body, row === "dynamic" ? "scale" : undefined);
}

function buildTable(result) {
  const rows = rowsOf(result, "build");
  if (rows.length === 0) return "";
  const sizes = [...new Set(rows.map(({ row }) => row))];
  const cell = (name, row) => {
    const one = rows
      .filter((candidate) => candidate.row === row)
      .flatMap(({ results }) => results)
      .find((candidate) => candidate.name === name);
    return one === undefined || one.refuses ? "refuses" : `${figure(one.warm)} us, ${figure(one.bytes)} B`;
  };
  const body = tableOf(
    ["a route, of", ...sizes.map((size) => size.replace("synthetic-", ""))],
    namesOf(rows).map((name) => [name, ...sizes.map((row) => cell(name, row))]),
  );
  return titled(`Building, ${result.runtime}`, body);
}

function figureTable(title, results, section, wanted, key, plot) {
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
  return titled(title, body, plot);
}

function bytesTable(result) {
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

/** Every row of a match table in which a peer costs less, by runtime. */
function ahead(results) {
  const lines = results.map((result) => {
    const rows = ["hono", "github", "special", "hostile", "scale"].flatMap((section) => rowsOf(result, section));
    const behind = rows.flatMap(({ table, row, mode, consumption, results: some = [] }) => {
      const [best] = some
        .filter(({ name, ratio }) => name !== ownName && ratio > 1)
        .toSorted((a, b) => b.ratio - a.ratio);
      return best === undefined
        ? []
        : [`${table}, ${row} (${mode}, ${consumption}): ${best.name}, ${figure(best.ratio)}`];
    });
    return `- ${result.runtime}: ${behind.length === 0 ? "none" : behind.join("; ")}`;
  });
  return `Row, the peer that costs least there, and our cost over its.\n\n${lines.join("\n")}`;
}
