import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ownName } from "./adapters.js";
import { figure, nameOf, tableOf } from "./markdown.js";
import { ratioTo, rowsOf } from "./readings.js";
import { cpuOf, isOwn, measuredRequests, requestTables } from "./requests.js";

const page = new URL("../../docs/benchmarks.md", import.meta.url);
const folder = new URL("../results/", import.meta.url);
const longest = 12;

/** Writes the figures of docs/benchmarks.md, each between its two marks there. */
export function fillPage(results) {
  writeFileSync(page, filled(readFileSync(page, "utf8"), results));
}

/** The text of the page, with the figures of these results, and of what bench/requests measured. */
export function filled(text, results, measured = measuredRequests()) {
  for (const [name, write] of Object.entries(parts)) {
    const marks = new RegExp(`(<!-- figures: ${name} -->\\n)[^]*?(?=<!-- end of figures -->)`);
    if (!marks.test(text)) throw new Error(`docs/benchmarks.md has lost its marks for the figures "${name}"`);
    const figures = write(results, measured);
    text = text.replace(marks, (_, mark) => (figures === "" ? mark : `${mark}\n${figures}\n\n`));
  }
  return text;
}

const parts = { requests, match, others, ahead, matters, measured };

/** Requests of real servers, by the CPU time that they take. */
function requests(_, measured) {
  return `${requestTables(measured)}\n\n![Server CPU for a request, in microseconds](../bench/results/http.svg)`;
}

function match(results) {
  const tables = [
    ["hono", "hono", "Hono's 12 routes"],
    ["github", "github-v3", "GitHub's 203 routes"],
    ["github", "github-octokit", "octokit's 1,014 routes"],
  ];
  const wanted = (table) => ({ table, row: "all together" });
  const runtimes = having(results, "hono", wanted("hono"));
  const cell = (result, section, table) => {
    const rows = rowsOf(result, section, wanted(table)).flatMap(({ results: some }) => some);
    const own = rows.find(({ name }) => name === ownName);
    const best = bestOf(rows);
    return own === undefined ? "" : `${figure(own.ns)} ns, ${figure(ratioTo(best))} x ${best.name}`;
  };
  return tableOf(
    ["", ...runtimes.map(({ runtime }) => nameOf(runtime))],
    tables.map(([section, table, title]) => [title, ...runtimes.map((result) => cell(result, section, table))]),
  );
}

/** The peer that costs least, which is where our ratio to it is largest. */
const bestOf = (rows) => rows.filter(({ name }) => name !== ownName).toSorted((a, b) => ratioTo(b) - ratioTo(a))[0];

/** Rows in which peers are ahead, and why. */
const losses = [
  [
    "8 kB of escapes that match nothing",
    "hostile",
    { row: "escapes" },
    "ns",
    "A path is decoded once before it is refused: 6 of 9 µs are to look at each escape. Peers compare raw text.",
  ],
  [
    "A path that matches nothing",
    "hono",
    { row: "miss" },
    "ns",
    "A path is checked for escapes and dot segments first.",
  ],
  [
    "Building an index, a route of 1,000",
    "build",
    { row: "synthetic-1000" },
    "warm",
    "Patterns are checked for ambiguity and sorted by precedence.",
  ],
  [
    "Cold start of an application",
    "cold",
    { row: "app" },
    "ms",
    "One file with the whole core is loaded. Peers load less, or later.",
  ],
];

function ahead(results, measured) {
  const runtimes = having(results, "hostile", { row: "escapes" });
  const rows = losses.map(([what, section, wanted, key, why]) => [
    what,
    ...runtimes.map((result) => lossOf(result, section, wanted, key)),
    why,
  ]);
  rows.push([
    "Server CPU of a request",
    ...runtimes.map((result) => requestLoss(result, measured)),
    "Middleware sets fields twice: for the answer, and for an error after it. Fastify generates code.",
  ]);
  const table = tableOf(
    ["cost over the cheapest other", ...runtimes.map(({ runtime }) => nameOf(runtime)), "why"],
    rows,
  );
  // The last column is text.
  return table.replace(/---: \|$/m, "--- |");
}

function lossOf(result, section, wanted, key) {
  const rows = rowsOf(result, section, wanted).flatMap(({ results: some }) => some);
  const own = rows.find(({ name }) => name === ownName)?.[key];
  const peers = rows.filter(({ name, [key]: value }) => value > 0 && !name.startsWith(ownName));
  const best = peers.toSorted((a, b) => a[key] - b[key])[0];
  if (own === undefined || best === undefined) return "";
  const ratio = own / best[key];
  return ratio < 1 ? `ahead: ${figure(ratio)} x` : `${figure(ratio)} x ${best.name}`;
}

/** The row of requests in which a peer is furthest ahead of the best of ours, on the same runtime. */
function requestLoss({ runtime }, measured) {
  const kind = runtime.split("-")[0];
  const found =
    measured.find(({ label }) => label === runtime) ??
    measured.find(({ label }) => label.split("-")[0] === kind && kind !== "node");
  if (found === undefined) return "";
  const losses = Object.entries(found.rows).map(([row, one]) => {
    const all = Object.keys(one.samples)
      .filter((name) => name !== "node:http")
      .map((name) => [name, cpuOf(one, name)]);
    const best = (some) => some.toSorted((a, b) => a[1] - b[1])[0];
    const [, own] = best(all.filter(([name]) => isOwn(name)));
    const [name, peer] = best(all.filter(([other]) => !isOwn(other)));
    return { row, name, ratio: own / peer };
  });
  const { row, name, ratio } = losses.toSorted((a, b) => b.ratio - a.ratio)[0];
  return ratio < 1 ? `ahead: ${figure(ratio)} x` : `${figure(ratio)} x ${name} (${row})`;
}

/** What a match costs beside what a server needs for the smallest request. */
function matters(results, measured) {
  const cpuIn = ({ runtime }) => {
    const found = measured.find(({ label }) => label === runtime);
    const row = Object.values(found?.rows ?? {})[0];
    const own = Object.keys(row?.samples ?? {}).find(isOwn);
    return own === undefined ? NaN : cpuOf(row, own);
  };
  const result = results.find((one) => !Number.isNaN(cpuIn(one)) && rowsOf(one, "github").length > 0);
  if (result === undefined) return "Not measured.";
  const cpu = cpuIn(result);
  const rows = rowsOf(result, "github", { table: "github-v3", row: "all together" }).flatMap(
    ({ results: some }) => some,
  );
  const own = rows.find(({ name }) => name === ownName).ns;
  const slowest = rows.filter(({ name }) => name !== ownName).toSorted((a, b) => b.ns - a.ns)[0];
  const share = (ns) => `${((ns / (cpu * 1000)) * 100).toFixed(1)} %`;
  const on = nameOf(result.runtime);
  return (
    `On ${on}, a small request costs a server ${figure(cpu)} µs of CPU. A match among GitHub's 203 routes costs ` +
    `${figure(own)} ns: ${share(own)} of that. With the slowest router of the table, ${slowest.name}, it costs ` +
    `${figure(slowest.ns)} ns: ${share(slowest.ns)}.`
  );
}

function measured(results) {
  const sections = results.flatMap(({ measured: some }) => Object.values(some));
  const dates = sections.map(({ date }) => date).toSorted();
  const machines = [...new Set(sections.map(({ machine }) => machine))].join("; ");
  const versions = results.map(({ runtime, version }) => `${nameOf(runtime).split(" ")[0]} ${version}`);
  return `Routers were measured from ${dates[0]} to ${dates.at(-1)}, on ${machines}. Versions: ${versions.join(", ")}.`;
}

/** What other measurements wrote into results/. */
function others() {
  return existsSync(new URL("files.md", folder)) ? tableFrom("files.md") : "";
}

const having = (results, section, wanted) => results.filter((result) => rowsOf(result, section, wanted).length > 0);

/** The first table of a file of results, below its heading, with a link to the rest. */
function tableFrom(file) {
  const text = readFileSync(new URL(file, folder), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  const [table] = /^\|.*\n\|[-:| ]+\n(?:\|.*\n?)+/m.exec(text) ?? [];
  if (table === undefined) throw new Error(`bench/results/${file} has no table`);
  const lines = table.trim().split("\n");
  const rest = lines.length > longest + 2 ? `, of ${lines.length - 2} rows` : "";
  return `**${title}** ([all of it](../bench/results/${file})${rest})\n\n${lines.slice(0, longest + 2).join("\n")}`;
}
