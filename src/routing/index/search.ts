import { hasDotSegment, isDotSegment } from "../request/target-path.ts";
import { standsAt } from "./literal-table.ts";
import type { Choice, Node, TablesOf } from "./index-node.ts";
import { boundsOf, PathMatch, type Terminal } from "./path-match.ts";
import { endOfRun } from "./segment-matcher.ts";

/*
 * The idea. A pattern is literal text, then something that is taken, then literal text again: `/users/`, `:id`,
 * `/posts`. A `Node` is the situation after the same things have been taken. At the root, nothing has been taken. From
 * a node the path goes on in one of two ways:
 *
 * - The rest is static: one of the node's `staticEnds` equals it, and the pattern ends there.
 * - The path goes on with static segments, up to a slash after which something is taken. One of the node's `branches`
 *   is a prefix of it, and holds the choices there, most specific first.
 *
 * Both are found by reading the two or three characters in which the literals of a node differ, and then comparing one
 * of them. A longer prefix has a static segment where a shorter one takes something, so it is tried first (C4.5). If a
 * choice leads nowhere, the next one is tried. Each node of a pattern is one depth of the path, so that a search visits
 * a node at most once. The table bounds the cost of a search, and each step is linear in the path at worst.
 *
 * Nothing is cut out of the text; `captures` keeps the bounds of the values. The path of a text ends at `limit`. If a
 * trailing slash is ignored, segments end at `end`, before the slash. Only rests and expressions see it (C4.7).
 */

/**
 * Searches the tree for the pattern that wins, and keeps the values that were taken from the text so far. A search ends
 * before another begins, so that an index has one for all its matches. One for all matches: a new search for each would
 * be most of what a match allocates.
 */
export class Search<T> {
  /** The bounds of the values that were taken. */
  declare readonly captures: Int32Array;
  readonly #root: Node<T>;
  readonly #tables: TablesOf<T>;
  #text = "";
  #start = 0;
  /** Where segments end: before a trailing slash that is ignored. */
  #end = 0;
  /** Where the path ends for rests and expressions. */
  #limit = 0;
  /** The match of an expression. */
  #found: RegExpExecArray | null = null;

  constructor(root: Node<T>, tables: TablesOf<T>, mostParams: number) {
    this.#root = root;
    this.#tables = tables;
    this.captures = new Int32Array(Math.max(4, mostParams));
  }

  find(text: string, start: number, end: number, limit: number): Terminal<T> | null {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#limit = limit;
    return this.#walk(this.#root, start, 0);
  }

  match(terminal: Terminal<T>, hasEscapes: boolean): PathMatch<T> {
    const { taken, groups } = terminal.signature;
    const bounds = taken > 4 ? this.captures.slice(0, taken) : null;
    const found = groups.length > 0 ? this.#found : null;
    const more = hasEscapes || bounds !== null || found !== null ? { bounds, found, hasEscapes } : null;
    return new PathMatch(terminal, this.#text, this.captures, more);
  }

  #walk(node: Node<T>, from: number, depth: number): Terminal<T> | null {
    const captures = this.captures;
    const tables = this.#tables;
    const text = this.#text;
    const end = this.#end;
    const limit = this.#limit;
    onward: for (;;) {
      // The root has been searched already.
      if (depth > 0) {
        const terminal = node.end(tables, text, from, end);
        if (terminal !== null && (limit === end || !terminal.signature.isEmptyRest)) return terminal;
      }
      for (let branch = node.go(tables, text, from); branch !== null; branch = branch.shorter) {
        if (!standsAt(text, branch.literal, from)) continue;
        const at = from + branch.literal.length;
        let to = at;
        if (branch.characters !== null) {
          // If the segment goes on, nothing matches: all literals after it begin with a slash.
          to = endOfRun(branch.characters, text, at, end);
        } else if (branch.param !== null || branch.choices.length > 0) {
          // Not after `/static/*`, where no segment is taken.
          to = text.indexOf("/", at);
          if (to < 0 || to > end) to = end;
        }
        if (branch.next !== null && branch.shorter === null) {
          // No alternative is left to come back to, so no call is needed.
          if (to <= at || isDotSegment(text, at, to)) return null;
          captures[depth++] = boundsOf(at, to);
          node = branch.next;
          from = to;
          continue onward;
        }
        if (branch.choices.length > 0) {
          const found = this.#choose(branch.choices, at, to, depth);
          if (found !== null) return found;
        }
        if (to > at && branch.param !== null && !isDotSegment(text, at, to)) {
          captures[depth] = boundsOf(at, to);
          const found = this.#walk(branch.param, to, depth + 1);
          if (found !== null) return found;
        }
        if (branch.rest !== null && takesRest(branch.rest, text, at, limit)) {
          captures[depth] = boundsOf(at, limit);
          return branch.rest;
        }
        if (branch.rests.length > 0) {
          const found = this.#choose(branch.rests, at, to, depth);
          if (found !== null) return found;
        }
      }
      return null;
    }
  }

  /** Tries the choices at `at`, in order. `to` is the end of the segment there. */
  #choose(choices: readonly Choice<T>[], at: number, to: number, depth: number): Terminal<T> | null {
    const captures = this.captures;
    const text = this.#text;
    const end = this.#end;
    const limit = this.#limit;
    for (const { matcher, next, terminal, expression } of choices) {
      if (matcher !== null) {
        if (matcher.match(text, at, to, captures, depth)) {
          const found = this.#walk(next!, to, depth + matcher.count);
          if (found !== null) return found;
        }
      } else if (expression !== null) {
        // The path is cut out here, so that `^` and `$` mean its ends.
        expression.lastIndex = at - this.#start;
        this.#found = expression.exec(text.slice(this.#start, terminal!.signature.isOpen ? limit : end));
        if (this.#found !== null) return terminal;
      } else if (takesRest(terminal!, text, at, limit)) {
        captures[depth] = boundsOf(at, limit);
        return terminal;
      }
    }
    return null;
  }
}

/**
 * Returns whether a rest takes the text from `at` to `limit`, everything after a slash. It never takes dot segments,
 * which no path has.
 */
function takesRest({ signature }: Terminal<unknown>, text: string, at: number, limit: number): boolean {
  return (limit > at || signature.mayBeEmpty) && !hasDotSegment(text, at - 1, limit);
}
