import { writeFileSync } from "node:fs";
import { ownName } from "./adapters.js";
import { nameOf } from "./markdown.js";
import { rowsOf } from "./readings.js";
import { cpuOf, measuredRequests } from "./requests.js";
import { bars } from "./svg.js";

const match = (table) => ({ table, mode: "url", consumption: "read", row: "all together" });
const drawn = [
  ["hono", "Hono's table, 12 routes", "ns", "hono", match("hono"), "ns"],
  ["github", "GitHub's API, 203 routes", "ns", "github", match("github-v3"), "ns"],
];

/** Draws the charts that pages cite, each from the results of the first runtime that has them. */
export function plots(results) {
  const [requests] = measuredRequests();
  for (const [name, title, unit, section, wanted, key] of drawn) {
    const result = results.find((one) => rowsOf(one, section, wanted).length > 0);
    const items = result === undefined ? [] : itemsOf(rowsOf(result, section, wanted), key);
    if (items.length === 0) continue;
    const file = new URL(`../results/${name}.svg`, import.meta.url);
    writeFileSync(file, bars(`${title} (${nameOf(result.runtime)})`, unit, items, ownName));
  }
  if (requests === undefined) return;
  // What bench/requests measured takes the place of the smallest answer that there is.
  const [[row, measured]] = Object.entries(requests.rows);
  const items = Object.keys(measured.samples).map((name) => ({ name, value: cpuOf(measured, name) }));
  const title = `Server CPU for a request, ${row} (${nameOf(requests.label)})`;
  writeFileSync(new URL("../results/http.svg", import.meta.url), bars(title, "us", items, ownName));
}

function itemsOf(rows, key) {
  const items = new Map();
  for (const { results = [] } of rows) {
    for (const { name, [key]: value } of results) if (value > 0 && !items.has(name)) items.set(name, { name, value });
  }
  return [...items.values()];
}
