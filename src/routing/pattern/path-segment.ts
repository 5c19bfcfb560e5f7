/** A value that is taken from the path: named, or read by its number if it is an expression or `*` without a name. */
export interface PathParam {
  /** The name of the param, or its number as text. */
  readonly name: string;
  /** The source of the expression that the text must match, or null if any text will do. */
  readonly expression: string | null;
}

/** A kind of C4.3, as a whole segment. An expression may match slashes, and a rest what is left of the path. */
type SegmentKind = "static" | "affixed" | "constrained" | "expression" | "param" | "rest";

/** What stands between two slashes of a path pattern. */
export interface PathSegment {
  /** What decides between patterns that differ here first. */
  readonly kind: SegmentKind;
  /** Literal text, in canonical form, and params, in order. */
  readonly pieces: readonly (string | PathParam)[];
  /** Whether the path may end before it: an optional param, or a rest of zero or more segments. */
  readonly isOptional: boolean;
  /** The segment as it was written, for messages. */
  readonly source: string;
}

/** Returns whether a piece is an expression, or a `*` without a name: read by its number. */
export function isNumbered(piece: string | PathParam | undefined): boolean {
  return typeof piece === "object" && /^\d/.test(piece.name);
}

/** Returns whether what ends in this segment may match a trailing slash: a rest does, and an expression at its end. */
export function isOpenEnded({ kind, pieces }: PathSegment): boolean {
  return kind === "rest" || (kind === "expression" && isNumbered(pieces.at(-1)));
}
