import { standsAt, type LiteralTables, type Prefix } from "./literal-table.ts";
import type { Terminal } from "./path-match.ts";
import type { SegmentMatcher } from "./segment-matcher.ts";

/**
 * The situation after the same things have been taken from the path. At the root, nothing has been taken.
 * PERF: most nodes have one static end or one branch; without a table for it, a match takes 14 % less
 * (`node bench/match.js --table=github-octokit`).
 */
export class Node<T> {
  /** The terminal of a path that ends here. */
  terminal: Terminal<T> | null = null;
  /** The terminal after static text up to the end of the path, or a table of several. 0 is none. */
  staticEnd: Terminal<T> | null = null;
  staticEnds = 0;
  /** Static text up to a slash after which something is taken, or a table of several. 0 is none. */
  branch: Branch<T> | null = null;
  branches = 0;

  /** Finds the terminal of a path whose rest, from `from` to `to`, is static. */
  end(tables: TablesOf<T>, text: string, from: number, to: number): Terminal<T> | null {
    if (from === to) return this.terminal;
    const staticEnd = this.staticEnds === 0 ? this.staticEnd : tables.findStaticEnd(this.staticEnds, text, from, to);
    return staticEnd !== null && staticEnd.literal.length === to - from && standsAt(text, staticEnd.literal, from)
      ? staticEnd
      : null;
  }

  /** Finds the longest static text that the path may go on with at `from`. The caller has to compare it. */
  go(tables: TablesOf<T>, text: string, from: number): Branch<T> | null {
    return this.branches === 0 ? this.branch : tables.findPrefix(this.branches, text, from);
  }
}

/** The tables of all nodes of an index. */
export type TablesOf<T> = LiteralTables<Terminal<T>, Branch<T>>;

/**
 * Static text that ends in a slash, and the choices that may be taken after it, most specific first. The fields that
 * nearly every step reads come first and share one cache line.
 */
export class Branch<T> implements Prefix {
  readonly literal: string;
  /**
   * The next node if only any segment may be taken, or a segment of certain characters. Most branches are like that,
   * and take no call to match a choice.
   */
  next: Node<T> | null = null;
  characters: Uint8Array | null = null;
  shorter: this | null = null;
  param: Node<T> | null = null;
  /** Affixed and constrained segments, and expressions. */
  choices: readonly Choice<T>[] = none;
  /** A single rest, by far the most frequent case, which is taken without a loop over choices. */
  rest: Terminal<T> | null = null;
  /** Rests, and expressions that match anything. */
  rests: readonly Choice<T>[] = none;

  constructor(literal: string) {
    this.literal = literal;
  }
}

const none: readonly never[] = [];

/** One thing that may be taken: a segment with a node after it, or the whole rest of the path, with a terminal. */
export interface Choice<T> {
  readonly matcher: SegmentMatcher | null;
  readonly next: Node<T> | null;
  readonly terminal: Terminal<T> | null;
  /** Null for a rest, which takes any text. */
  readonly expression: RegExp | null;
}
