/**
 * Writes a string as a quoted string (RFC 9110 §5.6.4).
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
  const [, quoted] = /^"([^"\\]*(?:\\[^][^"\\]*)*)"$/.exec(text) ?? [];
  return quoted === undefined ? null : quoted.replaceAll(/\\([^])/g, "$1");
}
