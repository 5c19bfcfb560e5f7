import type { PathPattern } from "../routing/path-pattern.ts";
import type { TrailingSlash } from "../routing/path-index-builder.ts";
import { maxPathLength } from "../routing/target-path.ts";
import type { LoadedApplication } from "./loaded-application.ts";
import { matches, winnerOf } from "./lone-pattern.ts";
import { samplePathsOf } from "./sample-paths.ts";

/**
 * Tells whether an application takes a slash at the end for significant (C4.7), which its model does not say: by what it
 * answers to paths with and without one. They are made from its own patterns, until one decides. Where none does, the
 * answers are the same either way as far as was tried.
 *
 * @param path is tried first.
 */
export function trailingSlashOf(app: LoadedApplication, path: string | null = null): TrailingSlash {
  const patterns = app.resources.flatMap((resource) => resource.patterns);
  const winnerFor = (url: string): PathPattern | null => {
    const { pattern } = { pattern: undefined, ...app.match({ method: "GET", url }) };
    return pattern ?? null;
  };
  for (const tried of pathsFor(patterns, path)) {
    const bare = tried.endsWith("/") ? tried.slice(0, -1) : tried;
    // With a slash more, a path may be too long to be matched (C4.9).
    if (bare === "" || bare.endsWith("/") || bare.length >= maxPathLength) continue;
    const found = decided(bare, winnerFor(bare), winnerFor(`${bare}/`));
    if (found !== null) return found;
  }
  return "ignore";
}

/** Only patterns that do not see the path as it is tell the difference. */
function* pathsFor(patterns: readonly PathPattern[], first: string | null): Iterable<string> {
  if (first !== null) yield first;
  for (const pattern of patterns) if (!pattern.isOpen) yield* samplePathsOf(pattern, "strict");
}

/**
 * What is certain from the winners for a path with and without the slash. Nothing here depends on the order of registration,
 * which the model does not give for patterns of one resource in several groups.
 */
function decided(bare: string, without: PathPattern | null, withSlash: PathPattern | null): TrailingSlash | null {
  for (const [path, winner] of [[bare, without] as const, [`${bare}/`, withSlash] as const]) {
    if (winner === null) continue;
    if (!matches(winner, path, "strict")) return "ignore";
    if (!matches(winner, path, "ignore")) return "strict";
  }
  if (without === withSlash) return null;
  // Were the slash ignored, these would match both paths, and the same one would win.
  if (isClosed(without) && isClosed(withSlash)) return "strict";
  for (const [path, winner, other] of [
    [bare, without, withSlash] as const,
    [`${bare}/`, withSlash, without] as const,
  ]) {
    if (isClosed(other) && (winner === null || isBeaten(winner, other, path))) return "strict";
  }
  return null;
}

function isClosed(pattern: PathPattern | null): pattern is PathPattern {
  return pattern !== null && !pattern.isOpen;
}

/** Whether another pattern would have won for a path were the slash ignored, whichever was registered first. */
function isBeaten(winner: PathPattern, other: PathPattern, path: string): boolean {
  return [
    [winner, other],
    [other, winner],
  ].every((pair) => winnerOf(pair, path, "ignore") === other);
}
