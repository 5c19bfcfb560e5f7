import type { PathIndex } from "./path-index.ts";
import type { PathMatch } from "./path-match.ts";
import { isPlain, maxPathLength, pathOf, pathStart, unmatched, type PathProblem } from "./target-path.ts";

/**
 * Finds the pattern that wins for the path of a request target: an absolute URL or origin-form.
 *
 * The path is matched where it stands, if it is canonical there; a static match proves that it is. Only a path with
 * escapes, dot segments and the like goes through the URL parser, and is matched as a text of its own.
 *
 * @param isSerialized whether the URL parser wrote the target, as it did the `url` of a Web `Request`.
 */
export function matchTarget<T>(index: PathIndex<T>, target: string, isSerialized: boolean): PathMatch<T> | PathProblem {
  const start = pathStart(target, isSerialized);
  if (start >= 0) {
    const query = target.indexOf("?", start);
    const end = query < 0 ? target.length : query;
    if (end - start <= maxPathLength) {
      // PERF: static text that matches up to the query proves that nothing else is in it; each search that it saves costs
      // as much as telling the routes apart (`bench/match`).
      const fixed = index.findFixed(target, start, end);
      if (fixed !== null) return fixed;
      if (isPlain(target, start, end, isSerialized)) return index.findTaken(target, start, end) ?? unmatched;
    }
  }
  const path = pathOf(target);
  if (typeof path !== "string") return path;
  return index.find(path) ?? unmatched;
}
