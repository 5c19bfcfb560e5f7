/**
 * Texts by their names, before they are read: one text, or a list where a name came more than once. It inherits
 * nothing, so that `constructor` and `toString` are names as others are, for validators as well, which read members
 * without asking whose they are. `__proto__` is left out: what a validator copies it into may have a prototype to lose.
 * Not `Object.create(null)`: that makes a hash table of each, and this an object with a shape.
 */
export type TextValues = Record<string, unknown>;

export function emptyValues(): TextValues {
  return new Values();
}

export function addValue(values: TextValues, name: string, value: unknown): void {
  if (name === "__proto__") return;
  const known = values[name];
  if (known === undefined) values[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else values[name] = [known, value];
}

/**
 * Adds the names and texts of a query, or of a form's content, as the URL Standard reads them (§5.1). Returns whether
 * all of them are UTF-8.
 */
export function addUrlEncoded(values: TextValues, text: string): boolean {
  // The next equals sign, which may be far after the end of a part. A new search for each part would cost the square.
  let equals = -1;
  for (let start = 0; start < text.length;) {
    const end = foundOr(text.length, text.indexOf("&", start));
    if (end > start) {
      if (equals < start) equals = foundOr(text.length, text.indexOf("=", start));
      const name = decoded(text.slice(start, Math.min(equals, end)));
      const value = equals >= end ? "" : decoded(text.slice(equals + 1, end));
      if (name === null || value === null) {
        // An error for each part would cost more than all else. The mark keeps a leading "?" in the name.
        for (const [key, other] of new URLSearchParams(`&${text.slice(start)}`)) addValue(values, key, other);
        return decoded(text.replaceAll(brokenEscape, "%25")) !== null;
      }
      addValue(values, name, value);
    }
    start = end + 1;
  }
  return true;
}

function foundOr(otherwise: number, found: number): number {
  return found < 0 ? otherwise : found;
}

const Values = function Values() {} as unknown as { new (): TextValues; prototype: object };
Values.prototype = Object.create(null) as object;

const isEscaped = /[%+]/;
const brokenEscape = /%(?![\da-f]{2})/gi;

/**
 * Null for a broken escape, which is literal, and for bytes that are not UTF-8, which become U+FFFD.
 * `decodeURIComponent()` throws for both.
 */
function decoded(text: string): string | null {
  if (!isEscaped.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
