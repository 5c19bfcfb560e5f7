const token = /^[-!#$%&'*+.^_`|~0-9A-Za-z]+$/;

/** Returns whether a string is a token, as field names, methods and schemes are (RFC 9110 §5.6.2). */
export function isToken(text: unknown): boolean {
  return typeof text === "string" && token.test(text);
}

/**
 * Returns whether a string can be a field value as it is: no control characters, no whitespace around it (RFC 9110
 * §5.5).
 */
export function isFieldValue(text: unknown): boolean {
  return typeof text === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && !/^[\t ]|[\t ]$/.test(text);
}

/** Returns whether a value is a scope (RFC 6749 §3.3: scope-token). */
export function isScope(value: unknown): boolean {
  return typeof value === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value);
}
