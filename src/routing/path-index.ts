import { standsAt } from "./literal-table.ts";
import { PathMatch, type Leaf } from "./path-match.ts";
import type { Choice, Place } from "./place.ts";

/*
 * The idea. A pattern is literal text, then something that is taken, then literal text again: `/users/`, `:id`, `/posts`.
 * A `Place` is the situation after the same things have been taken; at the root, nothing has. From a place the path goes
 * on in one of two ways:
 *
 *   - all that is left is static: one of the place's `tails` equals it, and the pattern ends there; or
 *   - it goes on with static segments, up to a slash behind which something is taken: one of the place's `edges` is a
 *     prefix of it, and holds what may be taken there, most specific first.
 *
 * Both are found by reading the two or three characters in which the literals of a place differ, and then comparing one
 * of them. A longer prefix has a static segment where a shorter one takes something, so it is tried first (C4.5). Where
 * a choice leads nowhere the next one is tried. Each place of a pattern is one depth of the path, so that a search visits
 * a place at most once: its cost is bounded by the table, and each step is linear in the path at worst.
 *
 * Nothing is cut out of the text; what is taken is two numbers in `captures`. The path of a text ends at `limit`; where
 * a slash at the end is ignored, segments end at `end`, in front of it, and only rests and expressions see it (C4.7).
 */

/** Path patterns, compiled: finds the one that wins for a path. Made by a `PathIndexBuilder`. */
export class PathIndex<T> {
  /** The number of ways in which a pattern can end: n + 1 for one with n optional params. */
  readonly leaves: number;
  readonly #root: Place<T>;
  readonly #isStrict: boolean;
  readonly #captures: Int32Array;
  #start = 0;
  #found: RegExpExecArray | null = null;

  constructor(root: Place<T>, isStrict: boolean, mostParams: number, leaves: number) {
    this.#root = root;
    this.#isStrict = isStrict;
    this.#captures = new Int32Array(Math.max(6, 2 * mostParams));
    this.leaves = leaves;
  }

  /**
   * Finds the pattern that wins for the canonical path that stands in a text from `start` to `limit`.
   *
   * Costs time linear in the length of the path, apart from the user's expressions, and nothing that grows with the
   * number of patterns except by the places they share with the path.
   */
  find(text: string, start: number = 0, limit: number = text.length): PathMatch<T> | null {
    if (text.charCodeAt(start) !== 47) return null;
    return this.findFixed(text, start, limit) ?? this.#taken(text, start, limit, true);
  }

  /** Finds a pattern without params, as `find()` does: what it finds is proven to be a canonical path by that. */
  findFixed(text: string, start: number, limit: number): PathMatch<T> | null {
    const end = this.#endOf(text, limit);
    const { leaf, tails } = this.#root;
    const found = end === start ? leaf : tails === null ? null : tails.find(text, start, end);
    return found === null || (found.isEmptyRest && limit > end) ? null : found.fixed;
  }

  /** Finds a pattern with params, where `findFixed()` found none, for a path without escapes. */
  findTaken(text: string, start: number, limit: number): PathMatch<T> | null {
    return this.#taken(text, start, limit, false);
  }

  #taken(text: string, start: number, limit: number, hasEscapes: boolean): PathMatch<T> | null {
    this.#start = start;
    const leaf = this.#walk(this.#root, text, start, this.#endOf(text, limit), limit, 0);
    if (leaf === null) return null;
    return new PathMatch(leaf, text, this.#captures, leaf.groups.length > 0 ? this.#found : null, hasEscapes);
  }

  #endOf(text: string, limit: number): number {
    return !this.#isStrict && text.charCodeAt(limit - 1) === 47 ? limit - 1 : limit;
  }

  #walk(place: Place<T>, text: string, from: number, end: number, limit: number, depth: number): Leaf<T> | null {
    const captures = this.#captures;
    onward: for (;;) {
      // At the root, findFixed() has looked.
      if (depth > 0) {
        const leaf = from === end ? place.leaf : place.tails === null ? null : place.tails.find(text, from, end);
        if (leaf !== null && (!leaf.isEmptyRest || limit === end)) return leaf;
      }
      if (place.edges === null) return null;
      for (let edge = place.edges.descend(text, from, limit); edge !== null; edge = edge.shorter) {
        if (!standsAt(text, edge.literal, from)) continue;
        const at = from + edge.literal.length;
        let to = text.indexOf("/", at);
        if (to < 0 || to > end) to = end;
        if (edge.choices.length > 0) {
          const found = this.#choose(edge.choices, text, at, to, end, limit, depth);
          if (found !== null) return found;
        }
        if (to > at && edge.param !== null) {
          captures[depth] = at;
          captures[depth + 1] = to;
          if (edge.shorter === null && edge.rests.length === 0) {
            // Nothing to come back to: no call.
            place = edge.param;
            from = to;
            depth += 2;
            continue onward;
          }
          const found = this.#walk(edge.param, text, to, end, limit, depth + 2);
          if (found !== null) return found;
        }
        if (edge.rests.length > 0) {
          const found = this.#choose(edge.rests, text, at, to, end, limit, depth);
          if (found !== null) return found;
        }
      }
      return null;
    }
  }

  /** Tries what may be taken at `at`, in order; `to` is the end of the segment there. */
  #choose(
    choices: readonly Choice<T>[],
    text: string,
    at: number,
    to: number,
    end: number,
    limit: number,
    depth: number,
  ): Leaf<T> | null {
    const captures = this.#captures;
    for (const { segments, matcher, next, leaf, expression } of choices) {
      if (matcher !== null) {
        if (to > at && matcher.match(text, at, to, to === end, captures, depth)) {
          const found = this.#walk(next!, text, to, end, limit, depth + matcher.width);
          if (found !== null) return found;
        }
      } else if (expression !== null) {
        const found = this.#execute(expression, text, at, leaf!.entry.pattern.isOpen ? limit : end);
        if (found !== null) {
          this.#found = found;
          return leaf;
        }
      } else if (limit > at || segments[0]!.isOptional) {
        captures[depth] = at;
        captures[depth + 1] = limit;
        return leaf;
      }
    }
    return null;
  }

  /** Tries an expression at `at` of the path, which is cut out here: `^` and `$` mean its ends. */
  #execute(expression: RegExp, text: string, at: number, end: number): RegExpExecArray | null {
    expression.lastIndex = at - this.#start;
    return expression.exec(text.slice(this.#start, end));
  }
}
