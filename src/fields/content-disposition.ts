/** What to do with content: save it, or show it (RFC 6266 §4.2). */
export type Disposition = "attachment" | "inline";

/**
 * Writes the value of `Content-Disposition` (RFC 6266, RFC 8187). A name that every client reads alike is in `filename`
 * alone. Any other name is in `filename*`, and `filename` has `_` for what old clients cannot read. Slashes,
 * backslashes, control characters and halves of surrogate pairs are `_` in both: the name is never a path.
 * @param fileName the name; the field has none if it is empty.
 */
export function formatContentDisposition(disposition: Disposition, fileName = ""): string {
  if (fileName === "") return disposition;
  const name = fileName.replaceAll(/[/\\\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "_");
  // RFC 6266 appendix D: clients decode escapes in it, and do not know the escapes of quoted strings. The flag "i"
  // would take the Kelvin sign for ASCII.
  const plain = name.replaceAll(/[^\x20-\x7e]|"|%(?=[\da-fA-F]{2})/gu, "_");
  const parts = [disposition, `filename="${plain}"`];
  if (plain !== name) parts.push(`filename*=UTF-8''${extendedValue(name)}`);
  return parts.join("; ");
}

/** RFC 8187 §3.2.1: percent-encodes all but the characters of `attr-char`. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[*'()]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
