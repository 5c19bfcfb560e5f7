import { mediaTypeOf, parseMediaType, specificityOf, type MediaType } from "./media-type.ts";
import { parseWeighted } from "./weighted.ts";

/** A member of `Accept`: a range of media types, and how much it is preferred (RFC 9110 §12.5.1). */
export interface MediaRange extends MediaType {
  readonly quality: number;
}

/** Reads the value of `Accept`; members that are malformed are left out. */
export function parseAccept(value: string): MediaRange[] {
  return parseWeighted(value).flatMap(({ value: essence, parameters, quality }) => {
    const range = mediaTypeOf(essence, parameters);
    return range === null ? [] : { ...range, quality };
  });
}

/** How much a media type is preferred: as the most specific of the ranges that cover it says; 0 if none does. */
export function qualityOf(mediaType: MediaType, ranges: readonly MediaRange[]): number {
  let quality = 0;
  let specificity = 0;
  for (const range of ranges) {
    const own = specificityOf(range, mediaType);
    if (own > specificity) [quality, specificity] = [range.quality, own];
  }
  return quality;
}

/**
 * Chooses, of the media types that a server offers, the one that the client prefers; of equal ones, the first.
 *
 * Without the field, and where no member of it can be read, every media type is acceptable.
 *
 * @returns null when none is acceptable.
 */
export function preferredMediaType<Offered extends string>(
  accept: string | null,
  offered: readonly Offered[],
): Offered | null {
  const ranges = accept === null ? [] : parseAccept(accept);
  if (ranges.length === 0) return offered.at(0) ?? null;
  return mostPreferred(offered, (text) => {
    const mediaType = parseMediaType(text);
    return mediaType === null ? 0 : qualityOf(mediaType, ranges);
  });
}

/** The member with the highest quality, of equal ones the first; null when all have none. */
export function mostPreferred<Member>(members: readonly Member[], quality: (member: Member) => number): Member | null {
  let best: Member | null = null;
  let highest = 0;
  for (const member of members) {
    const own = quality(member);
    if (own > highest) [best, highest] = [member, own];
  }
  return best;
}
