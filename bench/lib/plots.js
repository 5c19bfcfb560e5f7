import { writeFileSync } from "node:fs";
import { ownName } from "./adapters.js";
import { rowsOf } from "./readings.js";
import { bars, lines } from "./svg.js";

const file = (name) => new URL(`../results/${name}.svg`, import.meta.url);

/** Draws one plot for each table from the results of the first runtime that there is. */
export function plots([result]) {
  if (result === undefined) return;
  const on = `${result.runtime}, ${result.version}`;
  const drawn = [
    [
      "hono",
      "Hono's table, all rows mixed, all params read",
      "ns",
      "hono",
      { mode: "url", consumption: "read", row: "all together" },
    ],
    [
      "github",
      "GitHub v3, 203 routes, all params read",
      "ns",
      "github",
      { table: "github-v3", consumption: "read", row: "all together" },
    ],
    [
      "octokit",
      "octokit, 1,014 routes, all params read",
      "ns",
      "github",
      { table: "github-octokit", consumption: "read", row: "all together" },
    ],
    ...["optional", "constrained", "expression"].map((kind) => [
      kind,
      `${kind[0].toUpperCase()}${kind.slice(1)}-heavy table, all params read`,
      "ns",
      "special",
      { table: `${kind}-heavy`, row: "all together" },
    ]),
    ["hostile", "Hostile paths of 8 kB: one long segment", "ns", "hostile", { row: "one segment" }],
    ["build", "Building 1,000 routes, for each", "us", "build", { row: "synthetic-1000" }, "warm"],
    ["cold", "Cold start: load, build 203 routes, find the first", "ms", "cold", { row: "router" }, "ms"],
    [
      "handle",
      "await handle(request), over an async function that returns a response",
      "ns",
      "handle",
      { response: "shared" },
    ],
  ];
  for (const [name, title, unit, section, wanted, key = "ns"] of drawn) {
    const items = itemsOf(rowsOf(result, section, wanted), key);
    if (items.length > 0) writeFileSync(file(name), bars(`${title} (${on})`, unit, items, ownName));
  }
  plotScale(result, on);
}

/** The routers that a plot shows: those that try one pattern after the other would dwarf the rest. */
function itemsOf(rows, key) {
  const items = new Map();
  for (const { results = [] } of rows) {
    for (const { name, isLinear, [key]: value } of results)
      if (!isLinear && !items.has(name)) items.set(name, { name, value });
  }
  return [...items.values()];
}

function plotScale(result, on) {
  const rows = rowsOf(result, "scale", { row: "dynamic", consumption: "read" });
  if (rows.length < 2) return;
  const names = [...new Set(rows.flatMap(({ results }) => results.map(({ name }) => name)))];
  const series = names.map((name) => ({
    name,
    values: rows.map(({ results }) => results.find((one) => one.name === name)?.ns ?? 0),
  }));
  const sizes = rows.map(({ table }) => Number(table.replace("synthetic-", "")));
  writeFileSync(
    file("scale"),
    lines(`Finding a path with params among so many routes (${on})`, "ns", sizes, series, ownName),
  );
}
