import { matchesAnything } from "./expression.ts";
import { isNumbered, type PathParam, type PathSegment } from "./path-segment.ts";

/**
 * Ranks a segment. The rank decides which of two path patterns wins when both match, whatever the registration order.
 *
 * 1. Patterns are compared segment by segment, from the left. At the first difference the segment of the lower rank
 *   wins: static 0, affixed 1, constrained or expression 2, param 3, rest 4. An expression that matches anything,
 *   `(.*)` or `(.+)`, has the rank of a rest.
 * 2. Of two affixed segments the one with more literal characters wins. Then the one with more expressions wins. Then
 *   the one whose text, without names, comes first in code unit order wins.
 * 3. Of two rests, an expression with further segments after it wins. Then `+` wins. Then an expression at the end, or
 *   before a rest of zero or more segments only. Then `*`.
 * 4. Two different expressions at one place are tried in the order in which they were first registered there. No other
 *   rule depends on order.
 * 5. A pattern that ends wins over one that goes on with a rest of zero or more segments. After equal expressions, a
 *   pattern that goes on otherwise wins over one that ends. If two differ only by a trailing slash, the one that sees
 *   it wins.
 */
export function rankOf({ kind, pieces }: PathSegment): number {
  const isLone = kind === "expression" && pieces.length === 1;
  return isLone && matchesAnything((pieces[0] as PathParam).expression!) ? ranks.rest : ranks[kind];
}

/** The ranks: the lower one wins. A pattern with the rank of a rest takes the whole rest of the path. */
export const ranks = { static: 0, affixed: 1, constrained: 2, expression: 2, param: 3, rest: 4 } as const;

/** Compares the segments of two patterns at one place. Returns 0 if only registration order decides. */
export function compareSegments(ofA: readonly PathSegment[], ofB: readonly PathSegment[], at: number): number {
  const a = ofA[at]!;
  const b = ofB[at]!;
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  if (rank === ranks.affixed) {
    return (
      countLiterals(b) - countLiterals(a) ||
      countExpressions(b) - countExpressions(a) ||
      codeUnitOrder(outline(a), outline(b))
    );
  }
  return rank === ranks.rest ? restOrder(ofA, at) - restOrder(ofB, at) : 0;
}

/** Returns whether a segment is a rest that may have zero segments. */
export function isEmptiable(segment: PathSegment | undefined): boolean {
  return segment?.kind === "rest" && segment.isOptional;
}

/** Returns a key that two segments share if they match the same texts and rank alike: everything except the names. */
export function shapeOf({ kind, pieces, isOptional }: PathSegment): string {
  const shapes = pieces.map((piece) =>
    typeof piece === "string" ? piece : [piece.expression, kind === "expression" && isNumbered(piece)],
  );
  return JSON.stringify([kind, kind === "rest" && isOptional, shapes]);
}

/** Counts the literal characters of a segment. */
export function countLiterals({ pieces }: PathSegment): number {
  return pieces.filter((piece) => typeof piece === "string").join("").length;
}

/** Counts the params of a segment that an expression constrains. */
export function countExpressions({ pieces }: PathSegment): number {
  return pieces.filter((piece) => typeof piece === "object" && piece.expression !== null).length;
}

function outline({ pieces }: PathSegment): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : "\0")).join("");
}

function codeUnitOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function restOrder(segments: readonly PathSegment[], at: number): number {
  const segment = segments[at]!;
  if (segment.kind !== "expression") return isEmptiable(segment) ? 3 : 1;
  const isLast = at === segments.length - 1;
  return isLast || isEmptiable(segments.at(at + 1)) ? 2 : 0;
}
