/**
 * Writes a string as a quoted string (RFC 9110 §5.6.4).
 *
 * @throws {TypeError} when it has characters that no quoted string can hold.
 */
export function formatQuotedString(text: string): string {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
    throw new TypeError("Cannot write a quoted string: the text has control characters, or some that are not Latin-1");
  }
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Reads a quoted string; null when the text is not exactly one. */
export function parseQuotedString(text: string): string | null {
  if (!text.startsWith('"')) return null;
  let value = "";
  let from = 1;
  for (let at = 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at === text.length - 1 ? value + text.slice(from, at) : null;
    if (character !== "\\") continue;
    value += text.slice(from, at);
    from = ++at;
  }
  return null;
}
