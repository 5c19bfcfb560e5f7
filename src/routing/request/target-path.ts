import { canonicalEscapes } from "../percent-encoding.ts";

/** Why a request target matches nothing. */
export interface PathProblem {
  readonly problem: "unmatched" | "absent" | "unparseable" | "too long";
}

/** No pattern matches the path. */
export const unmatched: PathProblem = Object.freeze({ problem: "unmatched" });
/** The target is of a form that has no path: asterisk-form, authority-form, text without a leading slash. */
export const absent: PathProblem = Object.freeze({ problem: "absent" });
/** The target is an absolute URL that cannot be parsed. */
export const unparseable: PathProblem = Object.freeze({ problem: "unparseable" });
/** The path is longer than `maxPathLength`. */
export const tooLong: PathProblem = Object.freeze({ problem: "too long" });

/** The longest path that is matched, in characters. */
export const maxPathLength = 8192;

// Segments that the URL parser neither drops, resolves nor encodes, and that hold no escape, up to the query.
const plainPath = /(?:\/(?!\.\.?(?:[/?]|$))[\w\-~!$&'()*+,;=:@[\]|^.]*)+/y;

// The same with escapes, each in its canonical form (C4.2): of all that is not ASCII, and of ASCII up to "@" but what is unreserved.
const canonicalPath =
  /(?:\/(?!\.\.?(?:[/?]|$))[\w\-~!$&'()*+,;=:@[\]|^.]*(?:%(?:[0189A-F][\dA-F]|2[\dA-CF]|3[A-F]|40)[\w\-~!$&'()*+,;=:@[\]|^.]*)*)+/y;

// A scheme and an authority that every URL parser accepts, as found in front of nearly every path: names whose labels
// begin with a letter, the loopback address, a port below 60000. The rest goes through the URL parser.
const plainOrigin = /https?:\/\/(?:[a-z][a-z\d]*(?:\.[a-z][a-z\d]*|-[a-z\d]+)*|127\.0\.0\.1)(?::[1-5]?\d{1,4})?(?=\/)/y;

const dot = 46;
const dotSegment = /\/\.\.?(?:\/|$)/;

/**
 * Whether the URL parser leaves dot segments behind a segment that begins with a dot, as in `/a/.b/../c`. That of Node 20
 * and 22 does (ada-url/ada#935).
 */
export const parserLeavesDots: boolean = new URL("http://h/a/.b/..").pathname !== "/a/";

/** Returns where the path of an absolute URL begins, or -1 if it takes the URL parser to tell. */
export function originEnd(target: string): number {
  plainOrigin.lastIndex = 0;
  return plainOrigin.test(target) ? plainOrigin.lastIndex : -1;
}

/** Returns where the path of a raw target begins, or -1 if it takes the URL parser to tell. */
export function pathStart(target: string): number {
  return target.startsWith("/") ? 0 : originEnd(target);
}

/** Returns whether the text from `start` to `end` is a canonical path without escapes. */
export function isPlainPath(target: string, start: number, end: number): boolean {
  return matchesBetween(plainPath, target, start, end);
}

/**
 * Tells whether the text from `start` to `end` is a canonical path.
 *
 * PERF: most escapes are canonical. Where all are, nothing is parsed and rewritten: a path with two of them takes half the time in
 * a URL, a quarter in a raw target (a scratch script).
 */
export function isCanonicalPath(target: string, start: number, end: number): boolean {
  return matchesBetween(canonicalPath, target, start, end);
}

function matchesBetween(expression: RegExp, target: string, start: number, end: number): boolean {
  expression.lastIndex = start;
  return expression.test(target) && expression.lastIndex === end;
}

/**
 * Returns whether the path from `start` to `limit` is canonical in a URL that the URL parser wrote, apart from dot segments. It
 * can differ only by an escape, and by a fragment that begins in front of `limit`.
 */
export function isPlainUrl(url: string, start: number, limit: number): boolean {
  const escape = url.indexOf("%", start);
  return (escape < 0 || escape >= limit) && !url.includes("#", start);
}

/**
 * Tells whether the path from `start` to `limit` has dot segments in a URL that the URL parser wrote.
 *
 * PERF: most paths have no dot, which a search for one character tells; one for two takes longer (`bench/match`).
 */
export function hasDotSegment(url: string, start: number, limit: number): boolean {
  if (!parserLeavesDots || !url.includes(".", start) || !url.includes("/.", start)) return false;
  return dotSegment.test(url.slice(start, limit));
}

/**
 * Tells whether the segment from `at` to `to` is a dot segment, which no canonical path has.
 *
 * PERF: asked of what is taken, it costs a comparison of numbers where a search through each path costs 7 % (`bench/match`, hono).
 */
export function isDotSegment(text: string, at: number, to: number): boolean {
  return to - at < 3 && text.charCodeAt(at) === dot && text.charCodeAt(to - 1) === dot;
}

/**
 * Derives the canonical path from a request target: what the URL parser gives, with one form of escapes.
 *
 * Accepts absolute URLs and origin-form. Asterisk-form, authority-form and text without a leading slash have no path.
 *
 * @param start where the path begins in a URL that the URL parser wrote: it is not asked again.
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
  // With an authority and no path: `x://h`. Behind any other scheme stands what is no path at all: `x:h`.
  return url.href.startsWith("//", url.protocol.length) ? "/" : absent;
}

/** Resolves what `parserLeavesDots`, as the URL standard has it (§4.4, path state). */
function withoutDotSegments(path: string): string {
  const resolved: string[] = [];
  // A dot segment at the end leaves the slash in front of it.
  const open = path.replace(/\/\.\.?$/, "$&/");
  for (const segment of open.slice(1).split("/")) {
    if (segment === "..") resolved.pop();
    else if (segment !== ".") resolved.push(segment);
  }
  return `/${resolved.join("/")}`;
}

/** The query of a request target with its question mark, or an empty text; a fragment is not part of it. */
export function queryOf(target: string): string {
  return /^[^?#]*(\?[^#]*)/.exec(target)?.[1] ?? "";
}
