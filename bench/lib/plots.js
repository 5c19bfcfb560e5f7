import { writeFileSync } from "node:fs";
import { ownName } from "./adapters.js";
import { nameOf } from "./markdown.js";
import { rowsOf } from "./readings.js";
import { bars } from "./svg.js";

const match = (table) => ({ table, mode: "url", consumption: "read", row: "all together" });
const drawn = [
  ["hono", "Hono's table, 12 routes", "ns", "hono", match("hono"), "ns"],
  ["github", "GitHub's API, 203 routes", "ns", "github", match("github-v3"), "ns"],
];

/** Draws the charts that pages cite, each from the results of the first runtime that has them. */
export function plots(results) {
  for (const [name, title, unit, section, wanted, key] of drawn) {
    const result = results.find((one) => rowsOf(one, section, wanted).length > 0);
    if (result === undefined) continue;
    const items = itemsOf(rowsOf(result, section, wanted), key);
    const file = new URL(`../results/${name}.svg`, import.meta.url);
    writeFileSync(file, bars(`${title} (${nameOf(result.runtime)})`, unit, items, ownName));
  }
}

function itemsOf(rows, key) {
  const items = new Map();
  for (const { results = [] } of rows) {
    for (const { name, [key]: value } of results) if (value > 0 && !items.has(name)) items.set(name, { name, value });
  }
  return [...items.values()];
}
