import { formatEntityTag, isWeakMatch, parseEntityTag, parseEntityTags, type EntityTag } from "./entity-tag.ts";

/**
 * Makes the entity tag of one representation from the tag of its version: `"7"` is `"7~gzip"` in gzip, and
 * `"7~application/json"` as JSON. Two representations of one version must not share a tag (RFC 9110 §8.8.3).
 * @param aspect the content coding or the media type of the representation.
 */
export function derivedTag({ isWeak, opaque }: EntityTag, aspect: string): EntityTag {
  return { isWeak, opaque: `${opaque}~${writtenAspect(aspect)}` };
}

/** Writes an aspect as a tag has it: without spaces, quotes and tildes. */
export function writtenAspect(aspect: string): string {
  return aspect.replace(/[^!#-}]/g, "");
}

/** Returns the tag that another was derived from. Null if it was derived by none of these aspects. */
export function originalOf({ isWeak, opaque }: EntityTag, isAspect: (aspect: string) => boolean): EntityTag | null {
  const end = opaque.lastIndexOf("~");
  return end !== -1 && isAspect(opaque.slice(end + 1)) ? { isWeak, opaque: opaque.slice(0, end) } : null;
}

/**
 * Adds to the value of `If-Match` or `If-None-Match` the tags that its tags were derived from, so that they name the
 * version. The tags themselves stay: a handler may have made such a tag itself. Returns null if there is nothing to
 * add.
 */
export function withOriginalTags(value: string, isAspect: (aspect: string) => boolean): string | null {
  const tags = parseEntityTags(value);
  const originals = tags === "*" ? [] : tags.flatMap((tag) => originalOf(tag, isAspect) ?? []);
  return originals.length === 0 ? null : [value, ...originals.map(formatEntityTag)].join(", ");
}

/** Writes the derived tag of the value of `ETag`. Returns null where that is malformed. */
export function formatDerivedTag(etag: string, aspect: string): string | null {
  const tag = parseEntityTag(etag);
  return tag === null ? null : formatEntityTag(derivedTag(tag, aspect));
}

export function listsTag(ifNoneMatch: string | null, etag: string | null): boolean {
  const tag = parseEntityTag(etag ?? "");
  const tags = parseEntityTags(ifNoneMatch ?? "");
  return tag !== null && tags !== "*" && tags.some((one) => isWeakMatch(one, tag));
}
