import { ownName } from "./adapters.js";
import { ratioTo, rowsOf } from "./readings.js";
import { buildTable, bytesTable, figureTable, matchTable, scaleTable } from "./report-tables.js";
import { figure, tableOf } from "./markdown.js";

/** The tables of all that was measured: in full for the first runtime, and the mixed rows for all of them. */
export function sectionsOf(results) {
  const [first] = results;
  if (first === undefined) return [];
  const on = first.runtime;
  return [
    `## Where a peer is ahead\n\n${ahead(results)}`,
    matchTable(`Hono's table, ${on}`, first, "hono", { table: "hono", mode: "url", consumption: "read" }),
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
    matchTable(`GitHub v3, 203 routes, ${on}`, first, "github", { table: "github-v3", consumption: "read" }),
    matchTable(`GitHub v3, match only, ${on}`, first, "github", { table: "github-v3", consumption: "match" }),
    matchTable(`octokit, 1,014 routes, ${on}`, first, "github", { table: "github-octokit", consumption: "read" }),
    matchTable(`octokit, match only, ${on}`, first, "github", { table: "github-octokit", consumption: "match" }),
    matchTable(`Optional-heavy, ${on}`, first, "special", { table: "optional-heavy" }),
    matchTable(`Constrained-heavy, ${on}`, first, "special", { table: "constrained-heavy" }),
    matchTable(`Expression-heavy, ${on}`, first, "special", { table: "expression-heavy" }),
    matchTable(`Hostile paths of 8 kB, ${on}`, first, "hostile", {}),
    ...["static", "dynamic", "miss"].map((row) => scaleTable(first, row)),
    buildTable(first),
    figureTable("Cold start of routers, ms", results, "cold", { row: "router" }, "ms"),
    figureTable("Cold start of applications, ms", results, "cold", { row: "app" }, "ms"),
    figureTable(
      "handle() over `async () => response`, shared response, ns",
      results,
      "handle",
      { response: "shared" },
      "ns",
    ),
    figureTable("handle() with async handlers, shared response, ns", results, "handle", { response: "async" }, "ns"),
    figureTable("handle() over `async () => new Response()`, ns", results, "handle", { response: "new" }, "ns"),
    figureTable("Refusals, x an ordinary error", results, "refuse", {}, "ratio"),
    bytesTable(first),
  ].filter((section) => section !== "");
}

/** Every row in which a peer costs less: the peer that costs least, and our cost over its. */
function ahead(results) {
  const behind = new Map();
  for (const result of results) {
    for (const [title, peers] of [...matched(result), ...others(result)]) {
      const best = peers.filter(({ name }) => name !== ownName).toSorted((a, b) => b.ratio - a.ratio)[0];
      if (best === undefined || best.ratio <= 1) continue;
      const cells = behind.get(title) ?? new Map();
      if (!(cells.get(result.runtime)?.ratio > best.ratio)) cells.set(result.runtime, best);
      behind.set(title, cells);
    }
  }
  if (behind.size === 0) return "None.";
  const labels = results.map(({ runtime }) => runtime);
  const cell = (best) => (best === undefined ? "" : `${figure(best.ratio)} ${best.name}`);
  const rows = [...behind].map(([title, cells]) => [title, ...labels.map((label) => cell(cells.get(label)))]);
  return (
    "Our cost over that of the peer that costs least there; ∞ where what it takes is less than can be " +
    `measured.\n\n${tableOf(["row", ...labels], rows)}`
  );
}

function matched(result) {
  const rows = ["hono", "github", "special", "hostile", "scale"].flatMap((section) => rowsOf(result, section));
  return rows.map(({ table, row, mode, consumption, results = [] }) => [
    `${table}, ${row} (${mode}, ${consumption})`,
    results.map((peer) => ({ name: peer.name, ratio: ratioTo(peer) })),
  ]);
}

/**
 * Each row of the other sections that has peers, by each of its figures: the name of a row, and our figure over theirs.
 */
function others(result) {
  const compared = [
    ["build", "warm", ({ row }) => `${row}, building a route`],
    ["build", "bytes", ({ row }) => `${row}, memory of a route`],
    ["cold", "ms", ({ row }) => `cold start, ${row}`],
    ["handle", "ns", ({ response }) => `handle(), ${response} response`],
    ["bytes", "bytes", ({ kind, row }) => `bytes, ${kind}, ${row}`],
  ];
  const whole = compared.flatMap(([section, key, titleOf]) => {
    const titles = new Map();
    for (const row of rowsOf(result, section)) {
      titles.set(titleOf(row), [...(titles.get(titleOf(row)) ?? []), ...(row.results ?? [])]);
    }
    return [...titles].map(([title, peers]) => [title, key, peers]);
  });
  return whole.map(([title, key, peers]) => {
    const own = peers.find(({ name }) => name === ownName)?.[key];
    const compares = ({ name, [key]: value }) => value > 0 && !name.startsWith(ownName);
    return [
      title,
      peers.filter(compares).map(({ name, ratio, [key]: value }) => ({ name, ratio: ratio ?? own / value })),
    ];
  });
}
