import { PathIndexBuilder, type TrailingSlash } from "../../src/routing/build/path-index-builder.ts";
import type { PathIndex } from "../../src/routing/index/path-index.ts";
import { PathMatch } from "../../src/routing/index/path-match.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import type { PathProblem } from "../../src/routing/request/target-path.ts";
import type { Answer, ParamValues } from "../cases/case.ts";

/** An index of patterns that do not conflict; what they lead to does not matter. */
export function indexOf(patterns: readonly string[], trailingSlash: TrailingSlash = "ignore"): PathIndex<null> {
  return builderOf(patterns, trailingSlash).build();
}

/** A builder with patterns that do not conflict. */
export function builderOf(
  patterns: readonly string[],
  trailingSlash: TrailingSlash = "ignore",
): PathIndexBuilder<null> {
  const builder = new PathIndexBuilder<null>(trailingSlash);
  for (const pattern of patterns) {
    const [rival] = builder.add(parsePathPattern(pattern), null);
    if (rival !== undefined) throw new Error(`${pattern} and ${rival.source} match the same paths`);
  }
  return builder;
}

/** What an index finds for a URL that the URL parser wrote. */
export function matchSerialized<T>(index: PathIndex<T>, url: string): PathMatch<T> | PathProblem {
  return index.match(url, url.indexOf("/", 8));
}

/** What an index finds, in the form of a case. */
export function answerOf(match: PathMatch<unknown> | PathProblem | null): Answer {
  if (match === null) return 404;
  if (!(match instanceof PathMatch)) return statuses[match.problem];
  const { names, source } = parsePathPattern(match.source);
  return { pattern: source, params: valuesOf(names, (name) => match.param(name)) };
}

const statuses = { unmatched: 404, absent: 404, unparseable: 400, "too long": 414 } as const;

/** The values of params by name; 400 for one that reading throws at. */
export function valuesOf(names: readonly string[], read: (name: string) => string | undefined): ParamValues {
  return Object.fromEntries(names.map((name) => [name, valueOf(name, read)]));
}

function valueOf(name: string, read: (name: string) => string | undefined): string | 400 | undefined {
  try {
    return read(name);
  } catch {
    return 400;
  }
}
