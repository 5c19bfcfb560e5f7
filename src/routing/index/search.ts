import { hasDotSegment, isDotSegment } from "../request/target-path.ts";
import { standsAt } from "./literal-table.ts";
import type { Choice, Node, TablesOf } from "./node.ts";
import { boundsOf, PathMatch, type Terminal } from "./path-match.ts";
import { endOfRun } from "./segment-matcher.ts";

/*
 * The idea. A pattern is literal text, then something that is taken, then literal text again: `/users/`, `:id`, `/posts`.
 * A `Node` is the situation after the same things have been taken; at the root, nothing has. From a node the path goes
 * on in one of two ways:
 *
 *   - all that is left is static: one of the node's `staticEnds` equals it, and the pattern ends there; or
 *   - it goes on with static segments, up to a slash behind which something is taken: one of the node's `branches` is a
 *     prefix of it, and holds what may be taken there, most specific first.
 *
 * Both are found by reading the two or three characters in which the literals of a node differ, and then comparing one
 * of them. A longer prefix has a static segment where a shorter one takes something, so it is tried first (C4.5). Where
 * a choice leads nowhere the next one is tried. Each node of a pattern is one depth of the path, so that a search visits
 * a node at most once: its cost is bounded by the table, and each step is linear in the path at worst.
 *
 * Nothing is cut out of the text; of what is taken the bounds are kept in `captures`. The path of a text ends at `limit`; where
 * a slash at the end is ignored, segments end at `end`, in front of it, and only rests and expressions see it (C4.7).
 */

/**
 * One search through the tree for the pattern that wins, and what was taken from the text so far.
 *
 * PERF: an index has one for all its matches, as a search ends before another begins: of its own for each match, it would be most of
 * what that allocates.
 */
export class Search<T> {
  /** Where what was taken stands. */
  declare readonly captures: Int32Array;
  readonly #root: Node<T>;
  readonly #tables: TablesOf<T>;
  #text = "";
  #start = 0;
  /** Where segments end: in front of a slash at the end that is ignored. */
  #end = 0;
  /** Where the path ends, as rests and expressions see it. */
  #limit = 0;
  /** What an expression took. */
  #found: RegExpExecArray | null = null;

  constructor(root: Node<T>, tables: TablesOf<T>, mostParams: number) {
    this.#root = root;
    this.#tables = tables;
    this.captures = new Int32Array(Math.max(4, mostParams));
  }

  /** Finds where the path from `start` to `limit` leads. */
  find(text: string, start: number, end: number, limit: number): Terminal<T> | null {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#limit = limit;
    return this.#walk(this.#root, start, 0);
  }

  /** Makes the match of the terminal that was found. */
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
      // At the root it has been looked for already.
      if (depth > 0) {
        const terminal = node.end(tables, text, from, end);
        if (terminal !== null && (limit === end || !terminal.signature.isEmptyRest)) return terminal;
      }
      for (let branch = node.go(tables, text, from); branch !== null; branch = branch.shorter) {
        if (!standsAt(text, branch.literal, from)) continue;
        const at = from + branch.literal.length;
        let to = at;
        if (branch.characters !== null) {
          // Where the segment goes on, nothing stands: all literals behind it begin with a slash.
          to = endOfRun(branch.characters, text, at, end);
        } else if (branch.param !== null || branch.choices.length > 0) {
          // PERF: not behind `/static/*`, where no segment is taken (`bench/match`, wildcard).
          to = text.indexOf("/", at);
          if (to < 0 || to > end) to = end;
        }
        if (branch.next !== null && branch.shorter === null) {
          // Nothing to come back to: no call.
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

  /** Tries what may be taken at `at`, in order; `to` is the end of the segment there. */
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
        // The path is cut out here: `^` and `$` mean its ends.
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

/** Whether a rest takes the text from `at` to `limit`, all that is left behind a slash: not with dot segments, which no path has. */
function takesRest({ signature }: Terminal<unknown>, text: string, at: number, limit: number): boolean {
  return (limit > at || signature.mayBeEmpty) && !hasDotSegment(text, at - 1, limit);
}
