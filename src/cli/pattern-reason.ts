import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import type { PathSegment } from "../routing/pattern/path-segment.ts";
import {
  compareSegments,
  countExpressions,
  countLiterals,
  rankOf,
  ranks,
  shapeOf,
} from "../routing/pattern/precedence.ts";
import { matches } from "./lone-pattern.ts";

export function precedenceReason(first: PathPattern, second: PathPattern, path: string): string {
  const length = Math.max(first.segments.length, second.segments.length);
  // A slash at the end of the path is not followed by a segment.
  const ends = path.replace(/\/$/, "").split("/").length - 1;
  for (let at = 0; at < length; at++) {
    const a = first.segments[at];
    const b = second.segments[at];
    if (a !== undefined && b !== undefined && shapeOf(a) === shapeOf(b)) continue;
    if (at >= ends || a === undefined) return "it ends where the path ends";
    if (b === undefined) return "it goes on behind an equal expression";
    const rank = rankOf(a);
    const pair = `segment ${at + 1}, ${described(a)}, goes before ${described(b)}`;
    if (rank !== rankOf(b)) return pair;
    const order = compareSegments(first.segments, second.segments, at);
    if (order === 0) return `of two expressions at segment ${at + 1} the one that was registered first is tried first`;
    return `${pair}: ${rank === ranks.rest ? "it takes less" : affixedReason(a, b)}`;
  }
  if (first.isOpen && !second.isOpen) return "it sees the slash at the end";
  return "it was registered first";
}

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

function affixedReason(a: PathSegment, b: PathSegment): string {
  if (countLiterals(a) !== countLiterals(b)) return "it has more literal text";
  if (countExpressions(a) !== countExpressions(b)) return "it has more constraints";
  return "its text comes first in the order of code units";
}

function described(segment: PathSegment): string {
  // An expression that matches anything ranks as a rest.
  return `${rankOf(segment) === ranks.rest ? "rest" : segment.kind} "${segment.source}"`;
}
