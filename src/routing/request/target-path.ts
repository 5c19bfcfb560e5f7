import { canonicalEscapes } from "../percent-encoding.ts";

/** Why a request target matches nothing. */
export interface PathProblem {
  readonly problem: "unmatched" | "absent" | "unparseable" | "too long";
}

export const unmatched: PathProblem = Object.freeze({ problem: "unmatched" });
/** The form of the target has no path: asterisk-form, authority-form, a string without a leading slash. */
export const absent: PathProblem = Object.freeze({ problem: "absent" });
/** The target is an absolute URL that cannot be parsed. */
export const unparseable: PathProblem = Object.freeze({ problem: "unparseable" });
/** The path is longer than `maxPathLength`. */
export const tooLong: PathProblem = Object.freeze({ problem: "too long" });

/** The longest path that is matched, in characters. */
export const maxPathLength = 8192;

// Segments, up to the query, that hold no escape and that the URL parser neither drops, resolves nor encodes.
const plainPath = /(?:\/(?!\.\.?(?:[/?]|$))[\w\-~!$&'()*+,;=:@[\]|^.]*)+/y;

// The same with escapes, each in its canonical form (C4.2). ASCII up to "@" is escaped unless unreserved, and so is
// everything beyond ASCII.
const canonicalPath =
  /(?:\/(?!\.\.?(?:[/?]|$))[\w\-~!$&'()*+,;=:@[\]|^.]*(?:%(?:[0189A-F][\dA-F]|2[\dA-CF]|3[A-F]|40)[\w\-~!$&'()*+,;=:@[\]|^.]*)*)+/y;

// A scheme and an authority that every URL parser accepts, as nearly every target has. Names have labels that begin
// with a letter. The loopback address and a port below 60000 match, too. The rest goes through the URL parser.
const plainOrigin = /https?:\/\/(?:[a-z][a-z\d]*(?:\.[a-z][a-z\d]*|-[a-z\d]+)*|127\.0\.0\.1)(?::[1-5]?\d{1,4})?(?=\/)/y;

const dot = 46;
const dotSegment = /\/\.\.?(?:\/|$)/;

/**
 * Whether the URL parser leaves dot segments after a segment that begins with a dot, as in `/a/.b/../c`. The parser of
 * Node 20 and 22 does (ada-url/ada#935).
 */
export const parserLeavesDots: boolean = new URL("http://h/a/.b/..").pathname !== "/a/";

/** Returns where the path of an absolute URL begins, or -1 if only the URL parser can say. */
export function originEnd(target: string): number {
  plainOrigin.lastIndex = 0;
  return plainOrigin.test(target) ? plainOrigin.lastIndex : -1;
}

/** Returns where the path of a raw target begins, or -1 if only the URL parser can say. */
export function pathStart(target: string): number {
  return target.startsWith("/") ? 0 : originEnd(target);
}

/** Returns whether the text from `start` to `end` is a canonical path without escapes. */
export function isPlainPath(target: string, start: number, end: number): boolean {
  return matchesBetween(plainPath, target, start, end);
}

/**
 * Returns whether the text from `start` to `end` is a canonical path. Most escapes are canonical. If all are, nothing
 * is parsed or rewritten.
 */
export function isCanonicalPath(target: string, start: number, end: number): boolean {
  return matchesBetween(canonicalPath, target, start, end);
}

function matchesBetween(expression: RegExp, target: string, start: number, end: number): boolean {
  expression.lastIndex = start;
  return expression.test(target) && expression.lastIndex === end;
}

/**
 * Returns whether the path from `start` to `limit` is canonical in a URL that the URL parser wrote, apart from dot
 * segments. Only an escape, or a fragment that begins before `limit`, can make it differ.
 */
export function isPlainUrl(url: string, start: number, limit: number): boolean {
  const escape = url.indexOf("%", start);
  return (escape < 0 || escape >= limit) && !url.includes("#", start);
}

/**
 * Returns whether the path from `start` to `limit` has dot segments in a URL that the URL parser wrote. Most paths have
 * no dot, and a search for one character is faster than a search for two.
 */
export function hasDotSegment(url: string, start: number, limit: number): boolean {
  if (!parserLeavesDots || !url.includes(".", start) || !url.includes("/.", start)) return false;
  return dotSegment.test(url.slice(start, limit));
}

/**
 * Returns whether the segment from `at` to `to` is a dot segment, which no canonical path has.
 * PERF: asked of each segment taken, it costs a comparison of numbers; a search through each path costs 7 %
 * (`node bench/match.js --table=hono`).
 */
export function isDotSegment(text: string, at: number, to: number): boolean {
  return to - at < 3 && text.charCodeAt(at) === dot && text.charCodeAt(to - 1) === dot;
}

/**
 * Derives the canonical path from a request target: the path that the URL parser returns, with one form of escapes.
 * Accepts absolute URLs and origin-form. Asterisk-form, authority-form and a string without a leading slash have no
 * path.
 * @param start where the path begins in a URL that the URL parser wrote. The parser is not called again.
 */
export function pathOf(target: string, start = -1): string | PathProblem {
  const path = start < 0 ? parsedPath(target) : /[^?#]*/.exec(target.slice(start))![0];
  if (typeof path !== "string") return path;
  const canonical = canonicalEscapes(dotSegment.test(path) ? withoutDotSegments(path) : path);
  return canonical.length > maxPathLength ? tooLong : canonical;
}

function parsedPath(target: string): string | PathProblem {
  if (target.startsWith("/")) return new URL("http://h" + target).pathname;
  if (!/^[\0-\x20]*[a-z][a-z0-9+.\-\t\n\r]*:/i.test(target)) return absent;
  let url: URL;
  try {
    url = new URL(target);
  } catch {
    return unparseable;
  }
  if (url.pathname.startsWith("/")) return url.pathname;
  // With an authority and no path: `x://h`. After any other scheme there is nothing that is a path: `x:h`.
  return url.href.startsWith("//", url.protocol.length) ? "/" : absent;
}

/** Resolves the dot segments of `parserLeavesDots`, as the URL standard does (§4.4, path state). */
function withoutDotSegments(path: string): string {
  const resolved: string[] = [];
  // A dot segment at the end leaves the slash before it.
  const open = path.replace(/\/\.\.?$/, "$&/");
  for (const segment of open.slice(1).split("/")) {
    if (segment === "..") resolved.pop();
    else if (segment !== ".") resolved.push(segment);
  }
  return `/${resolved.join("/")}`;
}

/** Returns the query of a request target with its question mark, or an empty string. A fragment is not part of it. */
export function queryOf(target: string): string {
  return /^[^?#]*(\?[^#]*)/.exec(target)?.[1] ?? "";
}
