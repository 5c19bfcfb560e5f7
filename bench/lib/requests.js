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

/** Those that the page shows; pages of each runtime have all. On Bun and Deno, native handlers return a platform's. */
const isShown = (name, label) =>
  /^(?:fingerpost (?:semantics|native)$|fastify$|hono|elysia$)/.test(name) ||
  (name.startsWith("fingerpost native") && !label.startsWith("node"));

/** One table for all runtimes: microseconds of CPU for a request. */
export function requestTables(measured) {
  const columns = [...new Set(measured.flatMap(({ rows }) => Object.keys(rows)))];
  const lines = measured.flatMap(({ label, version, rows }) => {
    const names = [...new Set(Object.values(rows).flatMap(({ samples }) => Object.keys(samples)))];
    const [kind] = nameOf(label).split(" ");
    return names
      .filter((name) => isShown(name, label))
      .map((name) => [
        `${kind} ${version}`,
        isOwn(name) ? `**${name}**` : name,
        ...columns.map((row) => (rows[row] === undefined ? "" : figure(cpuOf(rows[row], name)))),
      ]);
  });
  const dates = new Set(measured.flatMap(({ rows }) => Object.values(rows).map(({ date }) => date)));
  const pages = measured.map(({ label }) => `[${nameOf(label)}](../bench/results/requests-${label}.md)`);
  const legend = columns.map((row) => `${row}: ${described[row].what}.`);
  return [
    `CPU of a request in microseconds, ${[...dates].toSorted().join(", ")}. All measures: ${pages.join(", ")}.`,
    tableOf(["runtime", "", ...columns], lines),
    legend.join(" "),
  ].join("\n\n");
}
