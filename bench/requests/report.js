import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { figure, tableOf } from "../lib/markdown.js";
import { rounded } from "../lib/results.js";
import { median } from "../lib/sampling.js";
import { rows as described } from "./rows.js";

const fileOf = (label, ending) => new URL(`../results/requests-${label}.${ending}`, import.meta.url);

const titles = {
  "kernel-less": "CPU of a request without a kernel, us",
  sockets: "CPU of a request over sockets, us",
  "in-process": "CPU of `app.fetch(request)`, us",
  cold: "Cold start, ms",
  idle: "Heap of an idle connection, bytes",
  memory: "Memory after 40,000 requests, MB",
};

/** Keeps what was measured of one row, in place of what was there of it, and writes the tables. */
export function keep({ label, version, measure, row, samples, left }) {
  const file = fileOf(label, "json");
  const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { measured: {} };
  known.version = version;
  known.measured[measure] ??= {};
  const date = new Date().toISOString().slice(0, 10);
  known.measured[measure][row] = { date, samples: Object.fromEntries(samples), left };
  // A line for each row, so that a change shows what was measured anew.
  writeFileSync(file, `${JSON.stringify(known, rounded).replaceAll(/"[^"]+":\{"date"/g, "\n$&")}\n`);
  writeFileSync(fileOf(label, "md"), `${[...headOf(label), ...tablesOf(label, known)].join("\n\n")}\n`);
}

function headOf(label) {
  return [
    `# Whole requests, ${label}`,
    "Written by `node bench/requests.js --write`. [Benchmarks](../../docs/benchmarks.md) has what these come to.",
  ];
}

/**
 * A table for each measure: what each candidate takes, and in parentheses the first one's ratio to it, least and most.
 */
function tablesOf(label, { version, measured }) {
  return Object.entries(measured).flatMap(([measure, byRow]) => {
    const rows = Object.keys(byRow);
    const names = [...new Set(rows.flatMap((row) => Object.keys(byRow[row].samples)))];
    const cells = names.map((name) => [name, ...rows.map((row) => cellOf(byRow[row].samples, name))]);
    const dates = new Set(rows.map((row) => byRow[row].date));
    const [own] = names;
    const notes = rows.flatMap((row) =>
      Object.entries(byRow[row].left).map(([name, why]) => `${row}, ${name}: ${why}`),
    );
    return [
      `## ${titles[measure]}, ${label} (${version}), ${[...dates].join(", ")}`,
      tableOf(["candidate", ...rows], cells),
      `In parentheses: ${own} over it, the median of the ratios within a round; behind it the least and the most.`,
      ...(notes.length === 0 ? [] : [`Not measured: ${notes.join("; ")}.`]),
      rows.map((row) => (described[row] === undefined ? "" : `${row}: ${described[row].what}.`)).join(" "),
    ].filter((part) => part.trim() !== "");
  });
}

function cellOf(samples, name) {
  const all = samples[name];
  if (all === undefined) return "";
  const [own] = Object.values(samples);
  if (all === own) return `**${figure(median(all))}**`;
  const ratios = ratiosOf(own, all);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return `${figure(median(all))} (${figure(median(ratios))}; ${figure(least)} to ${figure(most)})`;
}

/** The ratio within each round. */
export function ratiosOf(own, other) {
  return own.map((sample, round) => sample / other[round]);
}
