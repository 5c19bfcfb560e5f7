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

/** Why a pattern is tried before another that matches the same path (C4.5). */
export function precedenceReason(first: PathPattern, second: PathPattern, path: string): string {
  const length = Math.max(first.segments.length, second.segments.length);
  // Behind the last slash is no segment, if it is the path's end.
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
    return `${pair}: ${rank === ranks.affixed ? affixedReason(a, b) : "it takes less"}`;
  }
  if (first.isOpen && !second.isOpen) return "it sees the slash at the end";
  return "it was registered first";
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
