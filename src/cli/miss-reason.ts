import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import type { PathSegment } from "../routing/pattern/path-segment.ts";
import { matches } from "./lone-pattern.ts";

/** Why a pattern does not match a path whose beginning its first segments match. */
export function missReason(pattern: PathPattern, path: string, count: number, trailingSlash: TrailingSlash): string {
  const other = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
  if (trailingSlash === "strict" && matches(pattern, other, "strict")) return "the slash at the end counts";
  const texts = path.slice(1).split("/");
  const next: PathSegment | undefined = pattern.segments[count];
  const isPlaced = pattern.segments.slice(0, count).every(({ kind }) => kind !== "expression" && kind !== "rest");
  const text = texts[count];
  if (next === undefined) {
    return isPlaced ? `the path goes on with "/${texts.slice(count).join("/")}"` : "the path goes on behind it";
  }
  if (!isPlaced) return `what follows does not match "${next.source}"`;
  if (text === undefined || (text === "" && texts.length === count + 1)) return `the path ends before "${next.source}"`;
  return text === "" ? `"${next.source}" matches no empty segment` : `"${text}" does not match "${next.source}"`;
}
