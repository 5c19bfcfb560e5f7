// "^" is not unreserved, but older URL parsers leave it as it is and newer ones encode it: all runtimes must agree.
const decoded = /[\w\-.~^]/;

/** The canonical form of each octet that an escape can stand for: the character, or the escape with upper-case digits. */
const forms = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  return decoded.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
});

/**
 * Brings the escapes of a text to the one form that is compared (RFC 3986 §6.2.2, C4.2): those of unreserved characters
 * are decoded, the hex digits of the others are upper case.
 *
 * A `%` that begins no escape stays as it is, and an escape that would complete it to one stays encoded: `%%36%31` must
 * not become `%61`, which a reader would decode a second time.
 *
 * PERF: a path of nothing but escapes costs a quarter of what `replace()` with a function does (`bench/match`, hostile).
 */
export function canonicalEscapes(text: string): string {
  let canonical = "";
  let written = 0;
  let at = text.indexOf("%");
  while (at >= 0) {
    const octet = octetAt(text, at);
    if (octet >= 0) {
      const form = forms[octet]!;
      // One that stays changes only if it has letters in lower case.
      if (form.length === 1 || text.charCodeAt(at + 1) > 96 || text.charCodeAt(at + 2) > 96) {
        canonical += text.slice(written, at) + form;
        written = at + 3;
      }
      at += 3;
    } else {
      at += digitAt(text, at + 1) < 0 ? 1 : 2;
      if (octetAt(text, at) >= 0) {
        canonical += text.slice(written, at) + text.slice(at, at + 3).toUpperCase();
        written = at += 3;
      }
    }
    at = text.indexOf("%", at);
  }
  return written === 0 ? text : canonical + text.slice(written);
}

/** The octet that an escape at `at` stands for, or -1 if there is none. */
function octetAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== 37) return -1;
  const high = digitAt(text, at + 1);
  const low = digitAt(text, at + 2);
  return high < 0 || low < 0 ? -1 : 16 * high + low;
}

/** The value of the hex digit at `at`, or -1. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code & ~32;
  return letter >= 65 && letter <= 70 ? letter - 55 : -1;
}

// All but what a path holds as it is, by the path percent-encode set of the URL standard.
const unsafe = /[^\w\-.~!$&'()*+,;=:@%[\]|^]/gu;

/** Writes literal text of a path pattern as a canonical path spells it: `café` is `caf%C3%A9`. */
export function encodeLiteral(text: string): string {
  // Half of a surrogate pair becomes U+FFFD, as in the URL standard.
  return canonicalEscapes(
    text.replace(unsafe, (found) => encodeURIComponent(/\p{Cs}/u.test(found) ? "\ufffd" : found)),
  );
}
