import { parseCacheControl } from "../../fields/cache-control.ts";
import { essenceOf } from "../../fields/media-type.ts";

/**
 * Whether the content of a response may be compressed, and is worth it: with 304, that of the 200 in its place, as far as its
 * fields tell.
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
  // RFC 9530 §3: a digest is of the content as it is coded.
  const barring = "content-encoding content-digest repr-digest digest content-md5";
  if (barring.split(" ").some((name) => headers.has(name))) return true;
  // RFC 9111 §5.2.2.6
  return parseCacheControl(headers.get("cache-control") ?? "").has("no-transform");
}

const others =
  "application/graphql application/javascript application/json application/rtf application/sql application/toml " +
  "application/vnd.ms-fontobject application/wasm application/x-javascript application/xml application/yaml font/otf font/ttf " +
  "image/bmp image/vnd.microsoft.icon image/x-icon";
const worthwhile: ReadonlySet<string> = new Set(others.split(" "));

/** Whether content of a media type, in lower case and without parameters, gets shorter by compression: text, and what is like it. */
export function isWorthwhile(mediaType: string): boolean {
  if (mediaType.startsWith("text/") || worthwhile.has(mediaType)) return true;
  // RFC 6839: what a media type is built on.
  return mediaType.endsWith("+json") || mediaType.endsWith("+xml") || mediaType.endsWith("+yaml");
}
