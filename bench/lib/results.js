import { existsSync, readFileSync, writeFileSync } from "node:fs";

const labels = ["node-20", "node-22", "node-24", "node-26", "bun", "deno"];
const cited = new URL("../results/figures.json", import.meta.url);

/** Where everything that was measured on a runtime is kept. Git ignores it: it is 10,000 lines for each. */
export const measuredFile = (label) => new URL(`../measured/${label}.json`, import.meta.url);

/** What was measured last in this clone, on each runtime. */
export function storedResults() {
  return labels
    .map(measuredFile)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** The rows that the page of benchmarks cites, as they were measured last. */
export function citedResults() {
  return existsSync(cited) ? JSON.parse(readFileSync(cited, "utf8")) : [];
}

/** Replaces the sections that were measured in this clone by what was measured. The others stay. */
export function cite(results) {
  const known = new Map(citedResults().map((result) => [result.runtime, result]));
  for (const result of results) {
    const { runtime, version, measured } = result;
    const old = known.get(runtime);
    const sections = Object.fromEntries(
      Object.entries(result.sections).flatMap(([name, rows]) => {
        const some = rows.filter(citedRows[name] ?? (() => false)).map(shortened);
        return some.length === 0 ? [] : [[name, some]];
      }),
    );
    const dates = Object.fromEntries(Object.keys(sections).map((name) => [name, measured[name]]));
    known.set(runtime, {
      runtime,
      version,
      measured: { ...old?.measured, ...dates },
      sections: { ...old?.sections, ...sections },
    });
  }
  const ordered = labels.flatMap((label) => known.get(label) ?? []);
  writeFileSync(cited, inLines(ordered));
}

/** JSON with a line for each row, so that a change shows what was measured anew. */
export function inLines(results) {
  const list = (items) => items.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
  const texts = results.map(({ sections, ...head }) => {
    const rows = Object.entries(sections).map(([name, some]) => `   ${JSON.stringify(name)}: [\n${list(some)}]`);
    return ` ${JSON.stringify(head).slice(0, -1)},"sections":{\n${rows.join(",\n")}}}`;
  });
  return `[\n${texts.join(",\n")}\n]\n`;
}

const isMatch =
  (...names) =>
  ({ row, mode, consumption }) =>
    mode === "url" && consumption === "read" && names.includes(row);

const citedRows = {
  hono: isMatch("all together", "miss"),
  github: isMatch("all together"),
  hostile: ({ row }) => row === "escapes",
  build: ({ row }) => row === "synthetic-1000",
  cold: ({ row }) => row === "app",
};

function shortened({ table, row, mode, consumption, results = [] }) {
  const figures = results
    .filter(({ isLinear }) => isLinear !== true)
    .map(({ name, ns, ratio, warm, ms }) => ({ name, ns, ratio, warm, ms }));
  return { table, row, mode, consumption, results: figures };
}

/** Keeps of figures, in JSON, as many digits as they are good for. */
export function rounded(_, value) {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}
