import { described } from "../http/javascript/described.ts";
import { mergedAttributes, refusalOfAttributes, type CookieAttributes } from "./cookie-attributes.ts";
import { formatHttpDate } from "./http-date.ts";
import { isToken } from "./token.ts";

/**
 * Writes the value of `Set-Cookie`.
 * @throws {TypeError} when a browser would ignore or misread it: an invalid name, value or attribute, or a prefix
 * without its attributes. Also for `SameSite=None` or `Partitioned` without `Secure`, and for more than 4,096 octets.
 */
export function formatSetCookie(name: string, value: string, given: CookieAttributes = {}): string {
  const attributes = mergedAttributes(given);
  const { domain, path, expires, maxAgeSeconds, secure, httpOnly, sameSite, partitioned } = attributes;
  const refusal = refusalOfPair(name, value) ?? refusalOfAttributes(attributes) ?? refusalOfPrefix(name, attributes);
  if (refusal !== null) throw new TypeError(`Cannot write cookie ${described(name)}: ${refusal}`);
  return [
    `${name}=${value}`,
    domain === undefined ? [] : `Domain=${domain}`,
    path === undefined ? [] : `Path=${path}`,
    expires === undefined ? [] : `Expires=${formatHttpDate(expires)}`,
    maxAgeSeconds === undefined ? [] : `Max-Age=${maxAgeSeconds}`,
    httpOnly === true ? "HttpOnly" : [],
    secure === true ? "Secure" : [],
    sameSite === undefined ? [] : `SameSite=${sameSite}`,
    partitioned === true ? "Partitioned" : [],
  ]
    .flat()
    .join("; ");
}

function refusalOfPair(name: string, value: string): string | null {
  if (!isToken(name)) return "its name must be a token";
  // RFC 6265 §4.1.1: cookie-octet.
  if (typeof value !== "string" || !/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value)) {
    return 'its value must be printable ASCII without space, ", comma, ; and \\; use encodeURIComponent()';
  }
  // draft-ietf-httpbis-rfc6265bis-22 §5.6: what is longer is ignored.
  return name.length + value.length > 4096 ? "its name and value have more than 4,096 octets" : null;
}

function refusalOfPrefix(name: string, { domain, path, secure, httpOnly }: CookieAttributes): string | null {
  // draft-ietf-httpbis-rfc6265bis-22 §4.1.3; clients compare without regard to case (§5.7).
  const prefix = /^__(?:secure|host-http|host|http)-/i.exec(name)?.[0].toLowerCase() ?? "";
  if (prefix !== "" && secure !== true) return "the prefix of its name needs secure: true";
  if (prefix.endsWith("http-") && httpOnly !== true) return "the prefix of its name needs httpOnly: true";
  if (!prefix.startsWith("__host-")) return null;
  return path !== "/" || domain !== undefined ? 'the prefix of its name needs path: "/" and no domain' : null;
}
