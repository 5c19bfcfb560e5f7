/**
 * Splits a field value that is a list into its members (RFC 9110 §5.6.1).
 *
 * Empty members are dropped, and so is the whitespace around each; a comma in a quoted string separates nothing.
 */
export function parseList(value: string): string[] {
  return split(value, ",");
}

/**
 * Splits a list member into what stands between its semicolons: a value and its parameters (RFC 9110 §5.6.6). Empty
 * parts are dropped; a semicolon in a quoted string separates nothing.
 */
export function parseParts(member: string): string[] {
  return split(member, ";");
}

function split(value: string, separator: string): string[] {
  const members: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at <= value.length; at++) {
    const character = value.charAt(at);
    if (at < value.length && isQuoted) {
      // RFC 9110 §5.6.4: a backslash takes the next character along.
      if (character === "\\" && at + 1 < value.length) at++;
      else if (character === '"') isQuoted = false;
      continue;
    }
    if (character === '"') isQuoted = true;
    if (at < value.length && character !== separator) continue;
    const member = trimmed(value.slice(from, at));
    if (member !== "") members.push(member);
    from = at + 1;
  }
  return members;
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
