// "^" is not unreserved. Older URL parsers leave it as it is and newer ones encode it: all runtimes must agree.
const decoded = /[\w\-.~^]/;

/**
 * The canonical form of each octet that an escape can represent: the character, or the escape with upper-case digits.
 * Each is made on first use; all of them would cost a cold start a third of a millisecond.
 */
const forms: string[] = [];

function formOf(octet: number): string {
  const character = String.fromCharCode(octet);
  return decoded.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
}

// By character. Lower-case letters are found in the second half only, and so have 16 more than their value.
const values = Int8Array.from({ length: 128 }, (_, code) =>
  "0123456789ABCDEF0123456789abcdef".indexOf(String.fromCharCode(code)),
);

/**
 * Normalizes the escapes of a string to the one form that is compared (RFC 3986 §6.2.2). Decodes the escapes of
 * unreserved characters, and writes the hex digits of the others in upper case.
 *
 * A `%` that does not begin an escape stays as it is. An escape that would complete it to one stays encoded: `%%36%31`
 * must not become `%61`, which a reader would decode a second time.
 *
 * PERF: a path of nothing but escapes costs less than a quarter of `replace()` with a function
 * (`node bench/match.js --table=hostile`).
 */
export function canonicalEscapes(text: string): string {
  let canonical = "";
  let written = 0;
  // Where an escape would complete the percent sign before it.
  let kept = -1;
  let at = text.indexOf("%");
  while (at >= 0) {
    const high = valueAt(text, at + 1);
    const low = valueAt(text, at + 2);
    if (high < 0 || low < 0) {
      kept = at += high < 0 ? 1 : 2;
    } else {
      const octet = ((high & 15) << 4) | (low & 15);
      const form = at === kept ? text.slice(at, at + 3).toUpperCase() : (forms[octet] ??= formOf(octet));
      // An escape that stays changes only if it has lower-case letters.
      if (form.length === 1 || (high | low) > 15) {
        canonical += text.slice(written, at) + form;
        written = at + 3;
      }
      at += 3;
    }
    if (text.charCodeAt(at) !== 37) at = text.indexOf("%", at);
  }
  return written === 0 ? text : canonical + text.slice(written);
}

/** Returns the value of the hex digit at `at`, plus 16 for a lower-case letter, or -1. */
function valueAt(text: string, at: number): number {
  return values[text.charCodeAt(at) || 0] ?? -1;
}

// Everything but the characters that a path holds as they are, by the path percent-encode set of the URL standard.
const unsafe = /[^\w\-~!$&'()*+,;=:@[\]|^.%]+/g;

/** Writes literal text of a path pattern as a canonical path spells it: `café` is `caf%C3%A9`. */
export function encodeLiteral(text: string): string {
  // Half of a surrogate pair becomes U+FFFD, as in the URL standard.
  return canonicalEscapes(text.replace(unsafe, (found) => encodeURIComponent(found.toWellFormed())));
}
