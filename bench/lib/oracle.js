import { segmentsOf } from "./pattern.js";

/*
 * The linear oracle: one expression per route; of those that match, the one that goes first (C4.5). Slow and obvious:
 * routes that begin with another word than the path are all that it leaves out, so that it can be asked for 100,000 of
 * them, too. Every candidate must agree with it on every input before it is timed.
 */

const ranks = { static: 0, constrained: 1, expression: 1, param: 2, optional: 2, rest: 3 };

export function oracleOf(routes) {
  const byWord = new Map();
  const others = [];
  for (const route of routes) {
    const segments = segmentsOf(route.pattern);
    const row = { route, segments, expression: new RegExp(`^${segments.map(sourceOf).join("") || "/"}$`) };
    if (segments[0]?.kind !== "static") others.push(row);
    else if (!byWord.get(segments[0].text)?.push(row)) byWord.set(segments[0].text, [row]);
  }

  /** The id of the route that wins and the values of its params, or null; without a method, of any. */
  return (method, path) => {
    let best = null;
    for (const row of [...(byWord.get(path.split("/", 2)[1]) ?? []), ...others]) {
      if (method !== undefined && row.route.method !== method) continue;
      const found = row.expression.exec(path);
      if (found !== null && (best === null || bySpecificity(row, best) < 0)) best = { ...row, found };
    }
    if (best === null) return null;
    const values = best.segments.flatMap(({ name }) => (name ? [best.found.groups[`g${name}`] ?? null] : []));
    return { id: best.route.id, values };
  };
}

function sourceOf({ kind, name, text, expression }) {
  if (kind === "static") return `/${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`;
  if (kind === "rest") return `(?:/(?<g${name}>.*))?`;
  const taken = `/(?<g${name}>${expression ?? "[^/]+"})`;
  return kind === "optional" ? `(?:${taken})?` : taken;
}

/** Compares patterns that match the same path: the more specific one at the first difference in kind goes first. */
export function bySpecificity({ segments: a }, { segments: b }) {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = ranks[a[at].kind] - ranks[b[at].kind];
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
