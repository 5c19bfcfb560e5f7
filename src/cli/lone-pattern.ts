import { PathIndexBuilder, type TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathIndex } from "../routing/index/path-index.ts";
import { parsePathPattern, type PathPattern } from "../routing/pattern/path-pattern.ts";

/**
 * Finds the one of some patterns that wins for a canonical path; those that are equal to an earlier one are left out.
 */
export function winnerOf(
  patterns: readonly PathPattern[],
  path: string,
  trailingSlash: TrailingSlash,
): PathPattern | null {
  const winner = indexOf(patterns, trailingSlash).find(path)?.source;
  return patterns.find(({ source }) => source === winner) ?? null;
}

const lone = {
  ignore: new WeakMap<PathPattern, PathIndex<null>>(),
  strict: new WeakMap<PathPattern, PathIndex<null>>(),
};

/**
 * Returns whether a pattern matches a canonical path when it is the only one. Its index is made once, and lives as long
 * as it.
 */
export function matches(pattern: PathPattern, path: string, trailingSlash: TrailingSlash): boolean {
  let index = lone[trailingSlash].get(pattern);
  if (index === undefined) lone[trailingSlash].set(pattern, (index = indexOf([pattern], trailingSlash)));
  return index.find(path) !== null;
}

function indexOf(patterns: readonly PathPattern[], trailingSlash: TrailingSlash): PathIndex<null> {
  const builder = new PathIndexBuilder<null>(trailingSlash);
  for (const pattern of patterns) builder.add(pattern, null);
  return builder.build();
}

const [anything] = parsePathPattern("/:rest*").segments;

/** How many segments of a pattern, from the left, match the beginning of a path. */
export function matchedSegments(pattern: PathPattern, path: string): number {
  for (let count = pattern.segments.length; count > 0; count--) {
    const segments = pattern.segments.slice(0, count).map((segment) => ({ ...segment, isOptional: false }));
    if (segments.at(-1)!.kind !== "rest") segments.push(anything!);
    const names = segments.flatMap(({ pieces }) => pieces.filter((piece) => typeof piece === "object"));
    const beginning = {
      ...pattern,
      segments,
      names: names.map(({ name }) => name),
      hasTrailingSlash: false,
      isOpen: true,
    };
    if (matches(beginning, path, "ignore")) return count;
  }
  return 0;
}
