import { boundsOf, longestText } from "./bounds.ts";
import { standsAt } from "./literal-table.ts";
import { PathMatch, type Terminal } from "./path-match.ts";
import type { Choice, Node, TablesOf } from "./node.ts";
import { endOfRun } from "./segment-matcher.ts";
import {
  hasDotSegment,
  isCanonicalPath,
  isDotSegment,
  isPlainPath,
  isPlainUrl,
  maxPathLength,
  pathOf,
  pathStart,
  unmatched,
  type PathProblem,
} from "../request/target-path.ts";

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

const slash = 47;

/** Path patterns, compiled: finds the one that wins for a path. Made by a `PathIndexBuilder`. */
export class PathIndex<T> {
  readonly #root: Node<T>;
  readonly #tables: TablesOf<T>;
  /**
   * PERF: the lengths of static paths, modulo 32, by one bit each: where there are few it tells most paths with params, which spares
   * them 3 to 7 % of a match (`bench/match`, hono).
   */
  readonly #lengths: number;
  /** The code of a character that is ignored at the end of a path, or of none (C4.7). */
  readonly #ignored: number;
  readonly #captures: Int32Array;
  #start = 0;
  #found: RegExpExecArray | null = null;

  constructor(root: Node<T>, tables: TablesOf<T>, lengths: readonly number[], isStrict: boolean, mostParams: number) {
    this.#root = root;
    this.#tables = tables;
    this.#lengths = lengths.reduce((bits, length) => bits | (1 << length), 0);
    this.#ignored = isStrict ? -1 : slash;
    this.#captures = new Int32Array(Math.max(4, mostParams));
  }

  /**
   * Finds the pattern that wins for the path of a request target: an absolute URL or origin-form.
   *
   * The path is matched where it stands, if it is canonical there. One with other escapes, dot segments and the like, or with a
   * fragment behind it, is matched as a text of its own; a target that is raw goes through the URL parser for that.
   *
   * PERF: one long function, as V8 inlines only so much: taken apart it takes a quarter longer, and longer than 460 bytes of
   * bytecode, from which on V8 does not inline it itself, 4 % (`tests/growth/bytecode.test.ts`). And static text that matches
   * up to the query proves that nothing else is in it, which saves the searches for escapes and fragments (`bench/match`).
   *
   * @param parsedStart where the path begins in an `http` or `https` URL that the URL parser wrote, such as the `url` of a Web
   * `Request`; -1 for any other target.
   */
  match(target: string, parsedStart: number): PathMatch<T> | PathProblem {
    const start = parsedStart < 0 ? pathStart(target) : parsedStart;
    if (start >= 0) {
      const query = target.indexOf("?", start);
      const limit = query < 0 ? target.length : query;
      if (limit - start <= maxPathLength && limit <= longestText) {
        const end = target.charCodeAt(limit - 1) === this.#ignored ? limit - 1 : limit;
        const fixed = (this.#lengths >>> (end - start)) & 1 ? this.#root.end(this.#tables, target, start, end) : null;
        if (fixed !== null && (limit === end || !fixed.signature.isEmptyRest)) return fixed.match();
        this.#start = start;
        const found = this.#walk(this.#root, target, start, end, limit, 0);
        const proof = found === null ? 0 : found.proof;
        const isPlain =
          proof > 1 || (parsedStart < 0 ? isPlainPath(target, start, limit) : isPlainUrl(target, start, limit));
        if (isPlain && proof > 0) return new PathMatch(found!, target, this.#captures, null);
        // Escapes change nothing where each is in its canonical form: a path with some is matched as it stands, too.
        const isInPlace = isPlain ? !hasDotSegment(target, start, limit) : isCanonicalPath(target, start, limit);
        if (isInPlace) return this.#matched(found, target, !isPlain) ?? unmatched;
      }
    }
    return this.#matchParsed(target, parsedStart);
  }

  /** Matches a target whose path is not canonical where it stands. */
  #matchParsed(target: string, start: number): PathMatch<T> | PathProblem {
    const path = pathOf(target, start);
    return typeof path === "string" ? (this.find(path) ?? unmatched) : path;
  }

  /**
   * Finds the pattern that wins for a canonical path; none does for one of more than `maxPathLength` characters.
   *
   * Costs time linear in the length of the path, apart from the user's expressions, and nothing that grows with the
   * number of patterns except by the nodes they share with the path.
   */
  find(path: string): PathMatch<T> | null {
    const limit = path.length;
    if (path.charCodeAt(0) !== slash || limit > maxPathLength) return null;
    const end = path.charCodeAt(limit - 1) === this.#ignored ? limit - 1 : limit;
    const fixed = this.#root.end(this.#tables, path, 0, end);
    if (fixed !== null && (limit === end || !fixed.signature.isEmptyRest)) return fixed.match();
    this.#start = 0;
    return this.#matched(this.#walk(this.#root, path, 0, end, limit, 0), path, true);
  }

  #matched(terminal: Terminal<T> | null, text: string, hasEscapes: boolean): PathMatch<T> | null {
    if (terminal === null) return null;
    const { taken, groups } = terminal.signature;
    const bounds = taken > 4 ? this.#captures.slice(0, taken) : null;
    const found = groups.length > 0 ? this.#found : null;
    const more = hasEscapes || bounds !== null || found !== null ? { bounds, found, hasEscapes } : null;
    return new PathMatch(terminal, text, this.#captures, more);
  }

  #walk(node: Node<T>, text: string, from: number, end: number, limit: number, depth: number): Terminal<T> | null {
    const captures = this.#captures;
    const tables = this.#tables;
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
          const found = this.#choose(branch.choices, text, at, to, end, limit, depth);
          if (found !== null) return found;
        }
        if (to > at && branch.param !== null && !isDotSegment(text, at, to)) {
          captures[depth] = boundsOf(at, to);
          const found = this.#walk(branch.param, text, to, end, limit, depth + 1);
          if (found !== null) return found;
        }
        if (branch.rest !== null && takesRest(branch.rest, text, at, limit)) {
          captures[depth] = boundsOf(at, limit);
          return branch.rest;
        }
        if (branch.rests.length > 0) {
          const found = this.#choose(branch.rests, text, at, to, end, limit, depth);
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
  ): Terminal<T> | null {
    const captures = this.#captures;
    for (const { matcher, next, terminal, expression } of choices) {
      if (matcher !== null) {
        if (matcher.match(text, at, to, to === end, captures, depth)) {
          const found = this.#walk(next!, text, to, end, limit, depth + matcher.count);
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
