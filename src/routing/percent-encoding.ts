// An escape, or a "%" that begins none, with what follows it as far as decoding could complete it to one.
const escape = /%(?:[0-9A-Fa-f]{2}|[0-9A-Fa-f]?(?:%[0-9A-Fa-f]{2})?)/g;

// "^" is not unreserved, but older URL parsers leave it as it is and newer ones encode it: all runtimes must agree.
const decoded = /[\w\-.~^]/;

/**
 * Brings the escapes of a text to the one form that is compared (RFC 3986 §6.2.2, C4.2): those of unreserved characters
 * are decoded, the hex digits of the others are upper case.
 *
 * A `%` that begins no escape stays as it is, and an escape that would complete it to one stays encoded: `%%36%31` must
 * not become `%61`, which a reader would decode a second time.
 */
export function canonicalEscapes(text: string): string {
  return text.replace(escape, (found) => {
    if (found.length < 3) return found;
    if (found.length > 3) return found.slice(0, -3) + found.slice(-3).toUpperCase();
    const character = String.fromCharCode(parseInt(found.slice(1), 16));
    return decoded.test(character) ? character : found.toUpperCase();
  });
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
