import { parseCacheControl } from "../../fields/cache-control.ts";
import { essenceOf } from "../../fields/media-type.ts";

/**
 * Returns whether the content of a response may be compressed, and is worth it. With 304 the content of the
 * corresponding 200 counts, as far as the fields describe it.
 */
export function isCompressible({ status, headers }: Response, isWorth: (mediaType: string) => boolean): boolean {
  if (status < 200 || status === 204 || status === 205 || isBarred(headers)) return false;
  const value = headers.get("content-type");
  if (value === null) return status === 304;
  const mediaType = essenceOf(value);
  // CompressionStream would hold events back.
  return mediaType !== null && mediaType !== "text/event-stream" && isWorth(mediaType) === true;
}

function isBarred(headers: Headers): boolean {
  // RFC 9530 §3: a digest is of the coded content.
  const barring = "content-encoding content-digest repr-digest digest content-md5";
  if (barring.split(" ").some((name) => headers.has(name))) return true;
  // RFC 9111 §5.2.2.6
  return parseCacheControl(headers.get("cache-control") ?? "").has("no-transform");
}
