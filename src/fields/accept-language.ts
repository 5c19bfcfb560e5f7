import { mostPreferred } from "./accept.ts";
import { remembered } from "./remembered.ts";
import { parseWeighted } from "./weighted.ts";

/** A member of `Accept-Language`: a language range (RFC 4647 §2.1) and its weight. */
export interface LanguageRange {
  /** In lower case. */
  readonly range: string;
  readonly quality: number;
}

/** Reads the value of `Accept-Language` (RFC 9110 §12.5.4). Leaves out malformed members. */
export const parseAcceptLanguage: (value: string) => readonly LanguageRange[] = /* @__PURE__ */ remembered((value) =>
  parseWeighted(value).flatMap(({ value: range, parameters, quality }) =>
    parameters.length === 0 && (range === "*" || isLanguageTag(range)) ? { range: range.toLowerCase(), quality } : [],
  ),
);

/**
 * Chooses the language tag that the client prefers among the tags that a server offers. Of equal ones, chooses the
 * first.
 *
 * A range covers the tags that it is a prefix of (basic filtering, RFC 4647 §3.3.1). The longest range that covers a
 * tag decides. If none of the tags is covered, ranges are shortened from the end until one is a tag itself (lookup,
 * §3.4). So a client that asks for `de-CH` gets `de`.
 *
 * No language is refused. If none is acceptable, the first one that is not refused by name is chosen, or else the
 * first. Any answer is better than nothing (RFC 9110 §12.5.4).
 *
 * @returns null when none is offered.
 */
export function preferredLanguage<Offered extends string>(
  acceptLanguage: string | null,
  offered: readonly Offered[],
): Offered | null {
  const ranges = acceptLanguage === null ? [] : parseAcceptLanguage(acceptLanguage);
  return (
    mostPreferred(offered, (tag) => qualityOf(tag.toLowerCase(), ranges)) ??
    lookup(ranges, offered) ??
    offered.find((tag) => !ranges.some(({ range }) => covers(range, tag.toLowerCase()))) ??
    offered.at(0) ??
    null
  );
}

function qualityOf(tag: string, ranges: readonly LanguageRange[]): number {
  let quality = 0;
  let length = -1;
  for (const { range, quality: own } of ranges) {
    const covered = range === "*" ? 0 : range.length;
    if (covers(range, tag) && covered > length) [quality, length] = [own, covered];
  }
  return quality;
}

function covers(range: string, tag: string): boolean {
  return range === "*" || tag === range || tag.startsWith(`${range}-`);
}

function lookup<Offered extends string>(ranges: readonly LanguageRange[], offered: readonly Offered[]): Offered | null {
  // The acceptable ranges cover none of the tags. A range with a name here was refused.
  const refused = new Set(ranges.map(({ range }) => range));
  const open = offered.filter((tag) => !refused.has(tag.toLowerCase()));
  const acceptable = ranges.filter(({ quality }) => quality > 0);
  for (const { range } of acceptable.toSorted((a, b) => b.quality - a.quality)) {
    // The longest match is the range that has been shortened least. Shortening costs the square of its length.
    const found = mostPreferred(open, (tag) => (range.startsWith(`${tag.toLowerCase()}-`) ? tag.length : 0));
    if (found !== null) return found;
  }
  return null;
}

/** Returns whether a string is syntactically a language tag, and so a range of more than `*` (RFC 4647 §2.1). */
export function isLanguageTag(text: unknown): boolean {
  return typeof text === "string" && text.split("-").every((subtag) => /^[A-Za-z\d]{1,8}$/.test(subtag));
}
