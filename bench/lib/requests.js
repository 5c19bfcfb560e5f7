import { readFileSync, readdirSync } from "node:fs";
import { rows as described } from "../requests/rows.js";
import { figure, nameOf, tableOf } from "./markdown.js";
import { median } from "./sampling.js";

const folder = new URL("../results/", import.meta.url);
const order = ["node", "bun", "deno"];
const place = ({ label }) => order.indexOf(label.split("-")[0]);

/** What bench/requests measured over sockets: by runtime, the CPU time of a request in each of its rows. */
export function measuredRequests() {
  const files = readdirSync(folder).flatMap((file) => /^requests-(.+)\.json$/.exec(file) ?? []);
  const labels = files.filter((_, at) => at % 2 === 1);
  return labels
    .map((label) => {
      const { version, measured } = JSON.parse(readFileSync(new URL(`requests-${label}.json`, folder), "utf8"));
      const rows = measured.sockets ?? {};
      return { label, version, rows };
    })
    .filter(({ rows }) => Object.keys(rows).length > 0)
    .toSorted((a, b) => place(a) - place(b) || a.label.localeCompare(b.label));
}

export const cpuOf = ({ samples }, name) => (samples[name] === undefined ? NaN : median(samples[name]));
export const isOwn = (name) => name.startsWith("fingerpost");

/** Those of ours that the page has for one runtime alone: the first. */
const isVariant = (name) => /^fingerpost (?:polyfill|native, platform's)/.test(name);

/** A table for each runtime: microseconds of CPU for a request. */
export function requestTables(measured) {
  const tables = measured.map(({ label, version, rows }, at) => {
    const names = [...new Set(Object.values(rows).flatMap(({ samples }) => Object.keys(samples)))];
    const lines = names
      .filter((name) => at === 0 || !isVariant(name) || label === "bun" || label === "deno")
      .map((name) => [
        isOwn(name) ? `**${name}**` : name,
        ...Object.values(rows).map((row) => figure(cpuOf(row, name))),
      ]);
    const [kind] = nameOf(label).split(" ");
    return tableOf([`${kind} ${version}`, ...Object.keys(rows)], lines);
  });
  const dates = new Set(measured.flatMap(({ rows }) => Object.values(rows).map(({ date }) => date)));
  const pages = measured.map(({ label }) => `[${nameOf(label)}](../bench/results/requests-${label}.md)`);
  const shown = new Set(measured.flatMap(({ rows }) => Object.keys(rows)));
  const legend = [...shown].map((row) => `${row}: ${described[row].what}.`);
  return [
    `CPU of a request in microseconds, ${[...dates].toSorted().join(", ")}. All measures: ${pages.join(", ")}.`,
    ...tables,
    legend.join(" "),
  ].join("\n\n");
}
