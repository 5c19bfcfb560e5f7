import { ownName } from "./adapters.js";

/*
 * How figures are read off the results of a runtime. Ratios are ours over theirs; over several rows the worst counts.
 */

export const isStaticRow = (row) => ["short static", "same radix", "long static"].includes(row);

/** The rows of a section that have all of some properties. */
export function rowsOf(result, section, wanted = {}) {
  return (result.sections[section] ?? []).filter((row) =>
    Object.entries(wanted).every(([key, value]) => row[key] === value),
  );
}

const figureOf = (rows, name, key = "ns") =>
  rows.flatMap(({ results }) => results).find((one) => one.name === name)?.[key] ?? NaN;

/** Our cost over that of a peer; of one that takes less than can be measured, no figure is large enough. */
export const ratioTo = ({ ns, ratio }) => (ns <= 0 ? Infinity : ratio);

/** Our ratio to the fastest peer, over rows: the largest there is. */
export function worst(rows, isMeant = () => true) {
  const ratios = rows.flatMap(({ results = [] }) =>
    results.filter((peer) => peer.name !== ownName && isMeant(peer)).map(ratioTo),
  );
  return ratios.length === 0 ? NaN : Math.max(...ratios);
}

export const table =
  (section, name, row, consumption = "read") =>
  (result) =>
    worst(rowsOf(result, section, { table: name, row, mode: "url", consumption }));
export const hono = (consumption, mode) => (result) =>
  rowsOf(result, "hono", { table: "hono", mode, consumption }).filter(({ row }) => row !== "all together");
const isRadix = ({ name }) => ["memoirist", "@medley/router", "find-my-way", "koa-tree-router"].includes(name);
export const scale = (row) => (result) => worst(rowsOf(result, "scale", { table: "synthetic-100000", row }), isRadix);
export const build = (key) => (result) => figureOf(rowsOf(result, "build", { row: "synthetic-100000" }), ownName, key);

export function handled(peer) {
  return (result) => {
    const rows = rowsOf(result, "handle", { response: "shared" });
    return figureOf(rows, peer, "ratio");
  };
}

export function allocated(kind, row) {
  return (result) => Math.max(0, figureOf(rowsOf(result, "bytes", { kind, row }), ownName, "bytes"));
}

export function overMiss(result) {
  const rows = rowsOf(result, "hostile").filter(({ results }) => results?.some(({ name }) => name === "memoirist"));
  const own = (row) => figureOf([row], ownName);
  const miss = rows.find(({ row }) => row === "miss");
  return miss === undefined ? NaN : Math.max(...rows.filter((row) => row !== miss).map((row) => own(row) / own(miss)));
}

export const growth = (consumption) => (result) => {
  const own = (size) =>
    figureOf(rowsOf(result, "scale", { table: `synthetic-${size}`, row: "all together", consumption }), ownName);
  return own(1000) / own(10);
};

export function overPatternLists(result) {
  const rows = ["optional-heavy", "constrained-heavy"].flatMap((name) =>
    rowsOf(result, "special", { table: name, row: "all together" }),
  );
  return 1 / worst(rows, ({ name }) => name.includes("URLPattern"));
}
