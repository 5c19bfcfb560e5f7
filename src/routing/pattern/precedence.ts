import { isNumbered, type PathSegment } from "./path-segment.ts";

/**
 * Ranks a segment. The rank decides which of two path patterns wins when both match, whatever the registration order.
 *
 * 1. Patterns are compared segment by segment, from the left. At the first difference the segment of the lower rank
 *   wins: static 0, affixed 1, constrained or expression 2, param 3, rest 4. An expression that matches anything,
 *   `(.*)` or `(.+)`, has the rank of a rest.
 * 2. Of two affixed segments the one with more literal characters wins. Then the one with more expressions wins. Then
 *   the one whose text, without names, comes first in code unit order wins.
 * 3. Of two rests, one with further segments after it wins. Then `+` wins. Then an expression at the end, or before a
 *   rest of zero or more segments only. Then `*`.
 * 4. Two static segments at one place match one path only after something that takes slashes. The one whose text comes
 *   first in code unit order wins.
 * 5. Two different expressions at one place are tried in the order in which they were first registered there. No other
 *   rule depends on order.
 * 6. A pattern that ends wins over one that goes on with a rest of zero or more segments. After equal expressions, a
 *   pattern that goes on otherwise wins over one that ends. If two differ only by a trailing slash, the one that sees
 *   it wins.
 */
export function rankOf({ kind, source }: PathSegment): number {
  return source === "(.*)" || source === "(.+)" ? ranks.rest : ranks[kind];
}

/** The ranks: the lower one wins. A pattern with the rank of a rest takes the whole rest of the path. */
export const ranks = { static: 0, affixed: 1, constrained: 2, expression: 2, param: 3, rest: 4 } as const;

/** Compares the segments of two patterns at one place. Returns 0 if only registration order decides. */
export function compareSegments(ofA: readonly PathSegment[], ofB: readonly PathSegment[], at: number): number {
  const a = keyOf(ofA, at);
  const b = keyOf(ofB, at);
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs < 0 ? 0 : a[differs]! < b[differs]! ? -1 : 1;
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

export function countLiterals({ pieces }: PathSegment): number {
  return pieces.filter((piece) => typeof piece === "string").join("").length;
}

export function countExpressions({ pieces }: PathSegment): number {
  return pieces.filter((piece) => typeof piece === "object" && piece.expression !== null).length;
}

/**
 * What decides at one place of a pattern. Keys are compared part by part: at the first difference the lower part wins.
 */
function keyOf(segments: readonly PathSegment[], at: number): readonly (number | string)[] {
  const segment = segments[at];
  // A pattern that ends goes before `*`, and after everything else.
  if (segment === undefined) return [ranks.rest, 3];
  const rank = rankOf(segment);
  if (rank === ranks.affixed) {
    const outline = segment.pieces.map((piece) => (typeof piece === "string" ? piece : "\0")).join("");
    return [rank, -countLiterals(segment), -countExpressions(segment), outline];
  }
  if (rank === ranks.static) return [rank, segment.pieces[0] as string];
  if (rank !== ranks.rest) return [rank];
  const next = segments[at + 1];
  if (segment.kind === "rest" && next === undefined) return [rank, segment.isOptional ? 4 : 1];
  return [rank, next === undefined || isEmptiable(next) ? 2 : 0];
}
