/**
 * Splits a field value that is a list into its members (RFC 9110 §5.6.1). Empty members are dropped, and so is the
 * whitespace around each; a comma in a quoted string separates nothing.
 */
export function parseList(value: string): string[] {
  return membersOf(value, member);
}

/**
 * Splits a list member into what stands between its semicolons: a value and its parameters (RFC 9110 §5.6.6). Empty
 * parameters are dropped, and an empty value is not: no parameter passes for it. A semicolon in a quoted string
 * separates nothing.
 */
export function parseParts(text: string): string[] {
  const parts = membersOf(text, part);
  return /^[\t ]*;/.test(text) ? ["", ...parts] : parts;
}

// What is no separator, and quoted strings, in which a backslash takes the next character along (RFC 9110 §5.6.4).
const member = /(?:[^,"]|"(?:[^"\\]|\\[^]?)*"?)+/g;
const part = /(?:[^;"]|"(?:[^"\\]|\\[^]?)*"?)+/g;

function membersOf(text: string, one: RegExp): string[] {
  return (text.match(one) ?? []).map(trimmed).filter((found) => found !== "");
}

/** Takes the whitespace of RFC 9110 §5.6.3 off both ends: space and horizontal tab, and no other. */
export function trimmed(value: string): string {
  let from = 0;
  let to = value.length;
  while (from < to && isWhitespace(value[from])) from++;
  while (to > from && isWhitespace(value[to - 1])) to--;
  return value.slice(from, to);
}

function isWhitespace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
