import { mediaTypeOf, parseMediaType, specificityOf, type MediaType } from "./media-type.ts";
import { remembered } from "./remembered.ts";
import { parseWeighted } from "./weighted.ts";

/** A member of `Accept`: a range of media types, and how much it is preferred (RFC 9110 §12.5.1). */
export interface MediaRange extends MediaType {
  readonly quality: number;
}

/** Reads the value of `Accept`; members that are malformed are left out. */
export const parseAccept: (value: string) => readonly MediaRange[] = /* @__PURE__ */ remembered((value) =>
  parseWeighted(value).flatMap(({ value: essence, parameters, quality }) => {
    const range = mediaTypeOf(essence, parameters);
    return range === null ? [] : { ...range, quality };
  }),
);

/**
 * How much a media type is preferred: as the most specific of the ranges that cover it says; 0 if none does. Of an
 * offered range, it is the most preferred type that counts.
 */
export function qualityOf(mediaType: MediaType, ranges: readonly MediaRange[]): number {
  if (mediaType.subtype === "*") {
    const within = ranges.filter((one) => specificityOf(one, mediaType) + specificityOf(mediaType, one) > 0);
    return Math.max(0, ...within.map((one) => one.quality));
  }
  let quality = 0;
  let specificity = 0;
  for (const range of ranges) {
    const own = specificityOf(range, mediaType);
    if (own > specificity) [quality, specificity] = [range.quality, own];
  }
  return quality;
}

/**
 * Chooses, of the media types that a server offers, the one that the client prefers; of equal ones, the first. Without
 * the field, and where no member of it can be read, every media type is acceptable.
 * @returns null when none is acceptable.
 */
export function preferredMediaType<Offered extends string>(
  accept: string | null,
  offered: readonly Offered[],
): Offered | null {
  return offered[new OfferedTypes(offered).preferredAt(accept)] ?? null;
}

/** The media types that a server offers, each parsed once. */
export class OfferedTypes {
  readonly #mediaTypes: readonly (MediaType | null)[];
  /** The first one, by which most clients ask: without parameters. */
  readonly #first: string | null;

  constructor(offered: readonly string[]) {
    this.#mediaTypes = offered.map(parseMediaType);
    const [first] = this.#mediaTypes;
    this.#first = first ? `${first.type}/${first.subtype}` : null;
  }

  /** Returns where the one stands that `preferredMediaType()` chooses; -1 when none is acceptable. */
  preferredAt(accept: string | null): number {
    const mediaTypes = this.#mediaTypes;
    // Nothing is preferred to the first one where a client takes it, or anything.
    if (this.#first !== null && (accept === null || accept === "*/*" || accept === this.#first)) return 0;
    const ranges = accept === null ? [] : parseAccept(accept);
    if (ranges.length === 0) return mediaTypes.length === 0 ? -1 : 0;
    let best = -1;
    let highest = 0;
    for (let at = 0; at < mediaTypes.length; at++) {
      const mediaType = mediaTypes[at]!;
      const own = mediaType === null ? 0 : qualityOf(mediaType, ranges);
      if (own > highest) [best, highest] = [at, own];
    }
    return best === -1 ? this.#toleratedAt(ranges) : best;
  }

  /**
   * Returns where the first type stands that a range names but for its parameters, such as a profile. Content that has
   * a profile means the same without it (RFC 6906 §3.1). A range that covers a type decides about it.
   */
  #toleratedAt(ranges: readonly MediaRange[]): number {
    return this.#mediaTypes.findIndex((mediaType) => {
      if (mediaType === null || ranges.some((range) => specificityOf(range, mediaType) > 0)) return false;
      return ranges.some(({ type, subtype, parameters, quality }) => {
        const isKnown = [...parameters.keys()].some((name) => mediaType.parameters.has(name));
        const isNamed = type === "*" || (type === mediaType.type && (subtype === "*" || subtype === mediaType.subtype));
        return quality > 0 && !isKnown && isNamed;
      });
    });
  }
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
