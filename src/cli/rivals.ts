import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import type { PathSegment } from "../routing/pattern/path-segment.ts";
import { compareSegments, shapeOf } from "../routing/pattern/precedence.ts";

/** Something with a pattern: pairs are searched among these. */
interface Patterned {
  readonly pattern: PathPattern;
}

/**
 * Finds pairs of patterns that may match one path and that only their registration order decides. Their first segments
 * that differ rank alike, and their static segments do not exclude a common path. Returns the pairs in registration
 * order. Compares patterns only if the segments before have the same shapes. Pairs are not tried if a static segment or
 * another rank separates them.
 */
export function rivalsAmong<T extends Patterned>(entries: readonly T[]): [T, T][] {
  const numbers = new Map(entries.map((entry, number) => [entry, number]));
  const pairs: [T, T][] = [];
  const open: { readonly alike: readonly T[]; readonly at: number }[] = [{ alike: entries, at: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at } = next;
    const groups = [...groupedByShape(next.alike, at).values()];
    for (const alike of groups) if (alike.length > 1) open.push({ alike, at: at + 1 });
    // Static segments that differ share no text.
    const others = groups.filter(([first]) => first!.pattern.segments[at]!.kind !== "static");
    for (const [index, group] of others.entries()) {
      for (const other of others.slice(index + 1)) {
        for (const pair of pairsBetween(group, other, at)) pairs.push(pair);
      }
    }
  }
  const inOrder = pairs.map(([a, b]): [T, T] => (numbers.get(a)! < numbers.get(b)! ? [a, b] : [b, a]));
  return inOrder.toSorted((a, b) => numbers.get(a[0])! - numbers.get(b[0])! || numbers.get(a[1])! - numbers.get(b[1])!);
}

function groupedByShape<T extends Patterned>(entries: readonly T[], at: number): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const segment = entry.pattern.segments[at];
    if (segment === undefined) continue;
    const shape = shapeOf(segment);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [entry]);
    else group.push(entry);
  }
  return groups;
}

function* pairsBetween<T extends Patterned>(group: readonly T[], other: readonly T[], at: number): Iterable<[T, T]> {
  for (const a of group) {
    for (const b of other) {
      const [ofA, ofB] = [a.pattern.segments, b.pattern.segments];
      if (compareSegments(ofA, ofB, at) === 0 && mayMeet(ofA, ofB, at)) yield [a, b];
    }
  }
}

/** Returns whether some path may match both from a place on, as far as their static segments and their lengths show. */
function mayMeet(ofA: readonly PathSegment[], ofB: readonly PathSegment[], from: number): boolean {
  for (let at = from; at < Math.max(ofA.length, ofB.length); at++) {
    const [a, b] = [ofA[at], ofB[at]];
    // An expression may match slashes, so the segments after it may be anywhere.
    if (takesSlashes(a) || takesSlashes(b)) return true;
    if (a === undefined || b === undefined) return (a ?? b)!.isOptional;
    if (a.kind === "static" && b.kind === "static" && a.pieces[0] !== b.pieces[0]) return false;
  }
  return true;
}

function takesSlashes(segment: PathSegment | undefined): boolean {
  return segment?.kind === "expression" || segment?.kind === "rest";
}
