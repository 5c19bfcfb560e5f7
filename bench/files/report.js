import { writeFileSync } from "node:fs";
import { figure, tableOf } from "../lib/markdown.js";
import { rounded } from "../lib/results.js";
import { median } from "../lib/sampling.js";

const own = "fingerpost";

/** What is promised: requests a second of ours over those of a peer, in some cases or in all. */
const goals = [
  { ours: "snapshot", peer: "sirv", cases: ["1 kB", "64 kB"], least: 1.5 },
  { ours: "snapshot", peer: "sirv", cases: ["1 MB"], least: 1 },
  { ours: "snapshot", peer: "send", cases: ["304 for 64 kB"], least: 1 },
  { ours: "snapshot", peer: "@fastify/static", cases: ["304 for 64 kB"], least: 1 },
  { ours: "folder", peer: "send", least: 1 },
  { ours: "folder", peer: "@fastify/static", least: 1 },
];

/** The median over rounds of what one server has over what another has in the same round. */
export function ratio(row, key, name, other) {
  const [ours, theirs] = [row.results[name], row.results[other]];
  if (ours?.[key] === undefined || theirs?.[key] === undefined) return NaN;
  return median(ours[key].map((value, round) => value / theirs[key][round]));
}

/** The results as Markdown. */
export function textOf({ rows, version, machine, loadBefore, date, rounds, load }) {
  const names = Object.keys(rows[0].results);
  const base = names.includes("sirv") ? "sirv" : names[0];
  const line = (cellOf) => names.map((name) => [name, ...rows.map((row) => cellOf(row, name))]);
  const head = (first) => [first, ...rows.map(({ name }) => name)];
  const excluded = (row, name) => row.results[name].excluded;
  const rate = (row, name) => (excluded(row, name) ? "" : figure(ratio(row, "rate", name, base)));
  const cpu = (row, name) => (excluded(row, name) ? "" : figure(median(row.results[name].cpu)));
  const notes = rows.flatMap((row) =>
    names.flatMap((name) => (excluded(row, name) ? [`- ${name}, ${row.name}: it ${excluded(row, name)}.`] : [])),
  );
  return [
    "# Static files",
    `Node ${version}, ${date}, ${machine}, with a load of ${figure(loadBefore)} before. ${rounds} rounds, each ` +
      `server in turn for ${load.milliseconds} ms, over ${load.connections} connections.`,
    "An empty cell is a server that does not give status and bytes that the case asks for; see below.",
    "## Goals: requests a second over those of a peer; bold where one is missed",
    tableOf(["goal", "at least", ...head("").slice(1)], goalRows(rows)),
    `## Requests a second, x ${base}`,
    tableOf(head("server"), line(rate)),
    "## CPU of the server a request, microseconds",
    tableOf(head("server"), line(cpu)),
    ...(notes.length === 0 ? [] : ["## Not measured", notes.join("\n")]),
  ].join("\n\n");
}

/** A line for each goal: the ratio in each of its cases, bold where it is missed. */
function goalRows(rows) {
  return goals.map(({ ours, peer, cases, least }) => [
    `${ours}() over ${peer}`,
    String(least),
    ...rows.map((row) => {
      const value = ratio(row, "rate", `${own} ${ours}`, peer);
      if (Number.isNaN(value) || cases?.includes(row.name) === false) return "";
      return value >= least ? figure(value) : `**${figure(value)}**`;
    }),
  ]);
}

/** Keeps the results, and writes the page that is made of them. */
export function write(result) {
  const at = (name) => new URL(`../results/${name}`, import.meta.url);
  writeFileSync(at("files.json"), `${JSON.stringify(result, rounded)}\n`);
  writeFileSync(at("files.md"), `${textOf(result)}\n`);
}
