import { standsAt, type LiteralTables, type Prefix } from "./literal-table.ts";
import type { Leaf } from "./path-match.ts";
import type { SegmentMatcher } from "./segment-matcher.ts";

/**
 * The situation after the same things have been taken from the path; at the root, nothing has.
 *
 * PERF: in a large table nearly every place has one tail or one edge: without a table around it, matching takes 14 % less on
 * octokit and building half the time (`bench/match`, `bench/build`).
 */
export class Place<T> {
  /** The leaf of a path that ends here. */
  leaf: Leaf<T> | null = null;
  /** The leaf behind static text up to the end of the path, or a table of several; 0 is none. */
  tail: Leaf<T> | null = null;
  tails = 0;
  /** Static text up to a slash behind which something is taken, or a table of several; 0 is none. */
  edge: Edge<T> | null = null;
  edges = 0;

  /** Finds the leaf of a path whose rest, from `from` to `to`, is static. */
  end(tables: TablesOf<T>, text: string, from: number, to: number): Leaf<T> | null {
    if (from === to) return this.leaf;
    const tail = this.tails === 0 ? this.tail : tables.findTail(this.tails, text, from, to);
    return tail !== null && tail.literal.length === to - from && standsAt(text, tail.literal, from) ? tail : null;
  }

  /** Finds the longest static text that the path may go on with at `from`; whoever asks compares it. */
  go(tables: TablesOf<T>, text: string, from: number): Edge<T> | null {
    return this.edges === 0 ? this.edge : tables.findPrefix(this.edges, text, from);
  }
}

/** The tables of all places of an index. */
export type TablesOf<T> = LiteralTables<Leaf<T>, Edge<T>>;

/**
 * Static text that ends in a slash, and what may be taken behind it, most specific first.
 *
 * PERF: what nearly every step reads comes first, and with it in one line of the cache (`bench/match`, octokit).
 */
export class Edge<T> implements Prefix {
  readonly literal: string;
  /**
   * PERF: where the path goes on if nothing may be taken but any segment, as behind most edges, or one of some characters:
   * that needs no call (`bench/match`, constrained).
   */
  next: Place<T> | null = null;
  characters: Uint8Array | null = null;
  shorter: this | null = null;
  param: Place<T> | null = null;
  /** Affixed and constrained segments, and expressions. */
  choices: readonly Choice<T>[] = none;
  /** PERF: a rest that stands alone, as nearly all do, is taken without a loop over choices (`bench/match`). */
  rest: Leaf<T> | null = null;
  /** Rests, and expressions that match anything. */
  rests: readonly Choice<T>[] = none;

  constructor(literal: string) {
    this.literal = literal;
  }
}

const none: readonly never[] = [];

/** One thing that may be taken: a segment with a place behind it, or all that is left of the path, with a leaf. */
export interface Choice<T> {
  readonly matcher: SegmentMatcher | null;
  readonly next: Place<T> | null;
  readonly leaf: Leaf<T> | null;
  /** Null for a rest, which takes any text. */
  readonly expression: RegExp | null;
}
