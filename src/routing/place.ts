import type { Prefix, PrefixTree, TailTable } from "./literal-table.ts";
import type { Leaf } from "./path-match.ts";
import type { PathSegment } from "./path-pattern.ts";
import type { SegmentMatcher } from "./segment-matcher.ts";

/** The situation after the same things have been taken from the path; at the root, nothing has. */
export class Place<T> {
  /** The leaf of a path that ends here. */
  leaf: Leaf<T> | null = null;
  /** Static text up to the end of the path. */
  tails: TailTable<Leaf<T>> | null = null;
  /** Static text up to a slash behind which something is taken. */
  edges: PrefixTree<Edge<T>> | null = null;
}

/** Static text that ends in a slash, and what may be taken behind it, most specific first. */
export class Edge<T> implements Prefix {
  readonly literal: string;
  shorter: this | null = null;
  /** Affixed and constrained segments, and expressions. */
  choices: readonly Choice<T>[] = [];
  param: Place<T> | null = null;
  /**
   * PERF: where the path goes on if only one kind of segment may be taken, as behind most edges, and what matches it, if not
   * any segment does: that needs no call (`bench/match`, constrained).
   */
  next: Place<T> | null = null;
  matcher: SegmentMatcher | null = null;
  /** PERF: whether it takes a segment at all; behind `/static/*` its end need not be looked for (`bench/match`, wildcard). */
  takesSegments = false;
  /** PERF: a rest that stands alone, as nearly all do, is taken without a loop over choices (`bench/match`). */
  rest: Leaf<T> | null = null;
  /** Rests, and expressions that match anything. */
  rests: readonly Choice<T>[] = [];

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** One thing that may be taken: a segment with a place behind it, or all that is left of the path, with a leaf. */
export interface Choice<T> {
  /** The segments of the pattern from here on; only the first of them where a place follows. */
  readonly segments: readonly PathSegment[];
  readonly matcher: SegmentMatcher | null;
  readonly next: Place<T> | null;
  readonly leaf: Leaf<T> | null;
  /** Null for a rest, which takes any text. */
  readonly expression: RegExp | null;
}
