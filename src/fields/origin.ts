/**
 * Tells whether a text is an origin as browsers write it (RFC 6454 §6.2): scheme, host, and the port unless it is the
 * default one. `null`, which stands for any origin that has no name, is not.
 */
export function isOrigin(text: unknown): text is string {
  if (typeof text !== "string" || text.length > 1000) return false;
  if (!/^[a-z][-a-z0-9+.]*:\/\/[-\w.~:[\]]+$/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  // Only of the schemes that it knows does the URL parser tell the origin; to no other does it add a slash.
  return url.origin === text || url.href === text;
}
