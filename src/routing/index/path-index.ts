import type { Node, TablesOf } from "./index-node.ts";
import { longestText, PathMatch } from "./path-match.ts";
import { Search } from "./search.ts";
import {
  hasDotSegment,
  isCanonicalPath,
  isPlainPath,
  isPlainUrl,
  maxPathLength,
  pathOf,
  pathStart,
  unmatched,
  type PathProblem,
} from "../request/target-path.ts";

const slash = 47;

/** Finds the path pattern that wins for a path. Made by a `PathIndexBuilder`. */
export class PathIndex<T> {
  readonly #root: Node<T>;
  readonly #tables: TablesOf<T>;
  /**
   * One bit for each length of a static path, modulo 32. PERF: with few static paths it rules them out for most paths
   * with params, which saves 3 to 7 % of a match (`node bench/match.js --table=hono`).
   */
  readonly #lengths: number;
  /** The code of a character that is ignored at the end of a path, or of none. */
  readonly #ignored: number;
  readonly #search: Search<T>;

  constructor(root: Node<T>, tables: TablesOf<T>, lengths: readonly number[], isStrict: boolean, mostParams: number) {
    this.#root = root;
    this.#tables = tables;
    this.#lengths = lengths.reduce((bits, length) => bits | (1 << length), 0);
    this.#ignored = isStrict ? -1 : slash;
    this.#search = new Search(root, tables, mostParams);
  }

  /**
   * Finds the pattern that wins for the path of a request target: an absolute URL or origin-form.
   *
   * A canonical path is matched in place. A path with other escapes, dot segments and the like, or with a fragment
   * after it, is matched as a separate string. For that a raw target goes through the URL parser.
   *
   * Static text that matches up to the query proves that nothing else is in it. This saves the searches for escapes and
   * fragments.
   *
   * PERF: one function, as V8 inlines only so much: split up it takes a quarter longer (`node bench/match.js`).
   *
   * PERF: past 460 bytes of bytecode V8 no longer inlines it: 4 % (`tests/growth/bytecode.test.ts`).
   *
   * @param parsedStart where the path begins in an `http` or `https` URL that the URL parser wrote; -1 for any other
   * target. The `url` of a Web `Request` is one that the parser wrote.
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
        const found = this.#search.find(target, start, end, limit);
        const proof = found === null ? 0 : found.proof;
        const isPlain =
          proof > 1 || (parsedStart < 0 ? isPlainPath(target, start, limit) : isPlainUrl(target, start, limit));
        if (isPlain && proof > 0) return new PathMatch(found!, target, this.#search.captures, null);
        // Escapes change nothing if each is in its canonical form: such a path is matched in place, too.
        const isInPlace = isPlain ? !hasDotSegment(target, start, limit) : isCanonicalPath(target, start, limit);
        if (isInPlace) return found === null ? unmatched : this.#search.match(found, !isPlain);
      }
    }
    return this.#matchParsed(target, parsedStart);
  }

  /** Matches a target whose path is not canonical in place. */
  #matchParsed(target: string, start: number): PathMatch<T> | PathProblem {
    const path = pathOf(target, start);
    return typeof path === "string" ? (this.find(path) ?? unmatched) : path;
  }

  /**
   * Finds the pattern that wins for a canonical path. A path longer than `maxPathLength` matches nothing. Costs time
   * linear in the length of the path, apart from the user's expressions. The number of patterns adds only the nodes
   * that they share with the path.
   */
  find(path: string): PathMatch<T> | null {
    const limit = path.length;
    if (path.charCodeAt(0) !== slash || limit > maxPathLength) return null;
    const end = path.charCodeAt(limit - 1) === this.#ignored ? limit - 1 : limit;
    const fixed = this.#root.end(this.#tables, path, 0, end);
    if (fixed !== null && (limit === end || !fixed.signature.isEmptyRest)) return fixed.match();
    const found = this.#search.find(path, 0, end, limit);
    return found === null ? null : this.#search.match(found, true);
  }
}
