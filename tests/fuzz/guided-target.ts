import { isDeepStrictEqual } from "node:util";
import { PathIndexBuilder, type TrailingSlash } from "../../src/routing/build/path-index-builder.ts";
import { PathPatternError, parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { answerOf, indexOf } from "../support/answers.ts";
import { topics } from "../cases/every-case.ts";
import { oracleOf } from "../support/oracle.ts";

/** What the guided fuzzer begins with: patterns, then a target behind them. */
export const seeds: readonly (readonly string[])[] = Object.values(topics)
  .flat()
  .filter(
    ({ patterns, path }) => patterns.length <= 8 && path.length <= 200 && patterns.every((one) => one.length < 80),
  )
  .map(({ patterns, path }) => [...patterns, path]);

/** Throws if the index and the oracle do not agree on a target, or anything but a documented error occurs. */
export function attempt(lines: readonly string[]): void {
  const target = lines.at(-1)!;
  const sources = lines.slice(0, -1).filter((source) => isAccepted(source) && !isSlow(source));
  for (const trailingSlash of ["ignore", "strict"] as const) {
    const { kept, index } = tableOf(sources, trailingSlash);
    const found = answerOf(index.match(target, -1));
    const expected = oracleOf(kept, trailingSlash)(target);
    if (isDeepStrictEqual(found, expected)) continue;
    throw new Error(
      `${trailingSlash} ${JSON.stringify(kept)} ${JSON.stringify(target)}: the index says ${JSON.stringify(found)}, ` +
        `the oracle ${JSON.stringify(expected)}`,
    );
  }
}

/** Has a mistake in it that none of the seeds shows: what finds this one may find others. */
export function attemptWithMistake(lines: readonly string[]): void {
  attempt(lines);
  for (const source of lines.slice(0, -1).filter(isAccepted)) {
    const kinds = parsePathPattern(source).segments.map(({ kind }) => kind);
    if (kinds[0] === "affixed" && kinds[1] === "constrained") throw new Error("the mistake");
  }
}

/** Those that equal no other and whose expressions compile together, and an index of them. */
function tableOf(sources: readonly string[], trailingSlash: TrailingSlash) {
  const all = new PathIndexBuilder<null>(trailingSlash);
  const kept = sources.filter((source) => {
    try {
      return all.add(parsePathPattern(source), null) === null;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  });
  return { kept, index: indexOf(kept, trailingSlash) };
}

function isAccepted(source: string): boolean {
  try {
    parsePathPattern(source);
    return true;
  } catch (error) {
    if (error instanceof PathPatternError) return false;
    throw error;
  }
}

/** Expressions are the user's: what backtracks is neither the index's fault nor worth the time. */
function isSlow(source: string): boolean {
  return (source.match(/(?<!\\)[*+}]/g) ?? []).length > 4 || /[*+?}|][^/]*\)[*+{]/.test(source);
}
