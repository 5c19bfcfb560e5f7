import { isStrongMatch, isWeakMatch, parseEntityTag, parseEntityTags, type EntityTag } from "./entity-tag.ts";
import { parseHttpDate } from "./http-date.ts";

/** The validators that distinguish the states of a representation (RFC 9110 §8.8). */
export interface Validators {
  readonly etag: EntityTag | null;
  readonly lastModified: Date | null;
  /** The fields of the representation that 304 has, too. */
  readonly fields?: readonly [name: string, value: string][] | undefined;
}

/** The preconditions of a request, as they were sent. */
export interface Preconditions {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
  readonly ifUnmodifiedSince: string | null;
}

/** Methods that neither select nor change a representation: a server ignores their preconditions (RFC 9110 §13.2.1). */
export const unconditionalMethods: ReadonlySet<string> = new Set(["CONNECT", "OPTIONS", "TRACE"]);

/** The result of preconditions: the method is performed, or the answer is 304 or 412. */
export type Verdict = "perform" | "not modified" | "failed";

/**
 * Evaluates preconditions in the order of RFC 9110 §13.2.2, up to its fourth step. For the fifth see
 * `isRangeCurrent()`.
 * @param isRead whether the method is GET or HEAD.
 * @param current the validators of the current state; null when nothing exists.
 */
export function evaluatePreconditions(
  { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince }: Preconditions,
  isRead: boolean,
  current: Validators | null,
): Verdict {
  if (ifMatch !== null) {
    if (!isAnyMatch(ifMatch, current, isStrongMatch)) return "failed";
  } else if (isLater(current, ifUnmodifiedSince) === true) {
    return "failed";
  }
  if (ifNoneMatch !== null) {
    if (isAnyMatch(ifNoneMatch, current, isWeakMatch)) return isRead ? "not modified" : "failed";
  } else if (isRead && isLater(current, ifModifiedSince) === false) {
    return "not modified";
  }
  return "perform";
}

/**
 * Returns whether the validator of `If-Range` is the current one (RFC 9110 §13.1.5). An entity tag is compared
 * strongly. A date must be the same, and its second must be over, so that nothing else can have been written in it
 * (§8.8.2.2).
 */
export function isRangeCurrent(ifRange: string, current: Validators | null, now: Date = new Date()): boolean {
  const tag = parseEntityTag(ifRange);
  if (tag !== null) return current !== null && current.etag !== null && isStrongMatch(tag, current.etag);
  const seconds = secondsOf(current?.lastModified ?? null);
  const date = secondsOf(parseHttpDate(ifRange, now));
  return date !== null && date === seconds && seconds < Math.floor(now.getTime() / 1000);
}

function isAnyMatch(
  value: string,
  current: Validators | null,
  isMatch: (a: EntityTag, b: EntityTag) => boolean,
): boolean {
  const tags = parseEntityTags(value);
  // RFC 9110 §13.1.1, §13.1.2: * matches any current representation.
  if (tags === "*") return current !== null;
  const etag = current?.etag ?? null;
  return etag !== null && tags.some((tag) => isMatch(tag, etag));
}

/**
 * Returns whether the representation was modified after a date. Returns null if that is unknown, so that the field is
 * ignored.
 */
function isLater(current: Validators | null, value: string | null): boolean | null {
  const seconds = secondsOf(current?.lastModified ?? null);
  const date = value === null ? null : secondsOf(parseHttpDate(value));
  return seconds === null || date === null ? null : seconds > date;
}

// RFC 9110 §5.6.7: an HTTP-date has no fractions.
function secondsOf(date: Date | null): number | null {
  return date === null ? null : Math.floor(date.getTime() / 1000);
}
