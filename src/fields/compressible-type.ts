import { wordSet } from "../http/javascript/word-set.ts";

const compressible = /* @__PURE__ */ wordSet(
  "application/graphql application/javascript application/json application/rtf application/sql application/toml " +
    "application/vnd.apple.mpegurl application/vnd.ms-fontobject application/wasm application/x-javascript " +
    "application/x-tar application/xml application/yaml font/otf font/ttf image/bmp image/tiff " +
    "image/vnd.microsoft.icon image/x-icon",
);

/**
 * Returns whether a content coding makes content of a media type shorter: text and similar types. The type is in lower
 * case. But for text it has no parameters.
 */
export function isCompressibleType(mediaType: string): boolean {
  if (mediaType.startsWith("text/") || compressible.has(mediaType)) return true;
  // RFC 6839: the suffix names the base format.
  return mediaType.endsWith("+json") || mediaType.endsWith("+xml") || mediaType.endsWith("+yaml");
}
