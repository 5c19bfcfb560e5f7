import { parsedURL } from "../http/protocol/host.ts";

/**
 * Returns whether a string is an origin as browsers write it (RFC 6454 §6.2): scheme, host, and the port unless it is
 * the default one. `null`, the name of any opaque origin, is not.
 */
export function isOrigin(text: unknown): text is string {
  if (typeof text !== "string" || text.length > 1000) return false;
  // RFC 1035 §2.3.4: no host is longer, whatever the scheme.
  if (!/^[a-z][-a-z0-9+.]*:\/\/(?=.{1,255}(?::\d*)?$)[-\w.~:[\]]+$/.test(text)) return false;
  const url = parsedURL(text);
  if (url === null) return false;
  // Only of the schemes that it knows does the URL parser tell the origin; to no other does it add a slash.
  return url.origin === text || url.href === text;
}
