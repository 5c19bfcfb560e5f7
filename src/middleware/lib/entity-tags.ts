import { isBytes } from "../../http/javascript/any-realm.ts";
import { parseCacheControl } from "../../fields/cache-control.ts";
import { originalOf, withOriginalTags } from "../../fields/derived-tag.ts";
import { isStrongMatch, type EntityTag } from "../../fields/entity-tag.ts";
import { parseList } from "../../fields/list.ts";
import { essenceOf } from "../../fields/media-type.ts";
import { contentTag } from "../../fields/representation.ts";
import { readAhead } from "./read-ahead.ts";

/**
 * Adds an entity tag to a response, computed from its content and media type. Only for a response that is 200, has no
 * tag, and has all its content at once, up to a bound. Other content passes unchanged, and so does content that was
 * compressed for this client. Chance decides whether that is there at once, and the compressor decides its bytes.
 */
export async function tagged(response: Response, maxBytes: number): Promise<Response> {
  const { body, headers, status } = response;
  if (body === null || status !== 200 || maxBytes === 0 || headers.has("etag")) return response;
  const isEvents = essenceOf(headers.get("content-type") ?? "") === "text/event-stream";
  if (Number(headers.get("content-length")) > maxBytes || isEvents) return response;
  if (parseCacheControl(headers.get("cache-control") ?? "").has("no-store") || isOneOfCodings(headers)) return response;
  const content = await readAhead(body, maxBytes);
  const copy = new Response(content as BodyInit, response);
  if (isBytes(content)) {
    copy.headers.set("etag", await contentTag(content, headers.get("content-type") ?? ""));
  }
  return copy;
}

/**
 * Returns whether a tag may be computed, up to a bound, of content. This response has a part of that content, or
 * nothing of it.
 */
export function isTaggable({ headers, status }: Response, maxBytes: number): boolean {
  const length =
    status === 206 ? /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] : headers.get("content-length");
  return maxBytes > 0 && Number(length ?? 0) <= maxBytes;
}

/**
 * Returns whether a representation is coded, and might have been coded in another way. Both must not share a strong tag
 * (RFC 9110 §8.8.3.3).
 */
export function isOneOfCodings(headers: Headers): boolean {
  return headers.has("content-encoding") && variesBy("accept-encoding", headers);
}

/** Returns whether a representation might have had another media type: both must not share a tag (RFC 9110 §8.8.3). */
export function isOneOfTypes(headers: Headers): boolean {
  return headers.has("content-type") && variesBy("accept", headers);
}

function variesBy(field: string, headers: Headers): boolean {
  const vary = parseList(headers.get("vary") ?? "").map((name) => name.toLowerCase());
  return vary.includes(field) || vary.includes("*");
}

/** Returns whether a tag names a version: itself, or as the tag of one of its media types. */
export function isOfVersion(tag: EntityTag, version: EntityTag): boolean {
  return isStrongMatch(tag, version) || isStrongMatch(originalOf(tag, isType) ?? tag, version);
}

/** Adds to a value of `If-Match` or `If-None-Match` the versions whose media types it names. */
export function withVersions(value: string | null): string | null {
  return value === null ? null : (withOriginalTags(value, isType) ?? value);
}

/** No coding has a slash, so each tag of a type is known as one. */
function isType(aspect: string): boolean {
  return aspect.includes("/");
}

/** Returns the tag that the tag of coded content was made from; null if it was not made so. */
export function originalTag(etag: EntityTag | null, headers: Headers): EntityTag | null {
  const coding = headers.get("content-encoding")?.toLowerCase();
  return etag === null ? null : originalOf(etag, (aspect) => aspect === coding);
}
