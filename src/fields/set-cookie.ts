import { described } from "../http/described.ts";
import { ownOf } from "../http/given.ts";
import { formatHttpDate } from "./http-date.ts";
import { isToken } from "./token.ts";

/** What a client is told about a cookie (RFC 6265 §4.1.2, draft-ietf-httpbis-rfc6265bis-22 §4.1.2). */
export interface CookieAttributes {
  /** The host, and all below it, that the cookie is sent to; without it, only the one that sets it. */
  readonly domain?: string;
  /** The path, and all below it, that the cookie is sent to. */
  readonly path?: string;
  /** When the browser forgets it; without it and `maxAgeSeconds`, at the end of the session. */
  readonly expires?: Date;
  /** How long the cookie lives; 0 or less deletes it. It goes before `expires`. */
  readonly maxAgeSeconds?: number;
  /** Whether it is sent over TLS only. */
  readonly secure?: boolean;
  /** Whether scripts cannot read it. */
  readonly httpOnly?: boolean;
  /** Whether it is sent with requests that pages of other sites make: never, only when the user goes here, or always. */
  readonly sameSite?: "Strict" | "Lax" | "None";
  /** Keeps a jar for each top-level site (CHIPS). */
  readonly partitioned?: boolean;
}

const names = ["domain", "path", "expires", "maxAgeSeconds", "secure", "httpOnly", "sameSite", "partitioned"] as const;

/** Puts attributes together: those further back go before, where they say something. */
export function mergedAttributes(...all: readonly (CookieAttributes | null)[]): CookieAttributes {
  const merged = all.map((attributes) => Object.entries(attributes ?? {}).filter(([, value]) => value !== undefined));
  return ownOf(Object.fromEntries(merged.flat())) as CookieAttributes;
}

/**
 * Writes the value of `Set-Cookie`.
 *
 * @throws {TypeError} when it would be ignored or mean something else: a name that is no token, characters that a value
 * cannot have, an attribute that there is not or that is of another type, a prefix without the attributes it demands,
 * `SameSite=None` or `Partitioned` without `Secure`, more than 4,096 octets.
 */
export function formatSetCookie(name: string, value: string, given: CookieAttributes = {}): string {
  const attributes = mergedAttributes(given);
  const { domain, path, expires, maxAgeSeconds, secure, httpOnly, sameSite, partitioned } = attributes;
  const refusal =
    refusalOfPair(name, value) ??
    refusalOfNames(attributes) ??
    refusalOfText(attributes) ??
    refusalOfAttributes(name, attributes);
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

// What is misspelled would be left out, and the cookie be less safe than it looks.
function refusalOfNames(attributes: CookieAttributes): string | null {
  const other = Object.keys(attributes).find((name) => !(names as readonly string[]).includes(name));
  if (other !== undefined) return `there is no attribute ${described(other)}; write one of ${names.join(", ")}`;
  for (const name of ["secure", "httpOnly", "partitioned"] as const) {
    const value: unknown = attributes[name];
    if (value !== undefined && typeof value !== "boolean")
      return `its ${name} must be true or false, got ${described(value)}`;
  }
  return null;
}

function refusalOfText({ domain, path, expires, maxAgeSeconds, sameSite }: CookieAttributes): string | null {
  if (domain !== undefined && !isTextLike(domain, /^[-.\dA-Za-z]{1,255}$/)) return `its domain is ${described(domain)}`;
  if (path !== undefined && !isTextLike(path, /^\/[\x20-\x3a\x3c-\x7e]{0,1023}$/)) {
    return `its path must begin with a slash, and cannot hold semicolons or control characters, got ${described(path)}`;
  }
  if (expires !== undefined && !isDate(expires))
    return `its expires must be a Date of the years 1601 to 9999, got ${described(expires)}`;
  if (maxAgeSeconds !== undefined && !Number.isSafeInteger(maxAgeSeconds)) {
    return `its maxAgeSeconds must be a whole number, got ${described(maxAgeSeconds)}`;
  }
  const isSameSite = sameSite === undefined || ["Strict", "Lax", "None"].includes(sameSite);
  return isSameSite ? null : `its sameSite must be "Strict", "Lax" or "None", got ${described(sameSite)}`;
}

function isTextLike(value: unknown, expression: RegExp): boolean {
  return typeof value === "string" && expression.test(value);
}

// RFC 6265 §5.1.1: what is earlier fails; RFC 9110 §5.6.7: a year of four digits.
function isDate(value: unknown): boolean {
  return value instanceof Date && value.getUTCFullYear() >= 1601 && value.getUTCFullYear() <= 9999;
}

function refusalOfAttributes(name: string, attributes: CookieAttributes): string | null {
  const { domain, path, secure, httpOnly, sameSite, partitioned } = attributes;
  if (secure !== true && sameSite === "None") return 'sameSite "None" needs secure: true';
  if (secure !== true && partitioned === true) return "partitioned needs secure: true";
  // draft-ietf-httpbis-rfc6265bis-22 §4.1.3; clients compare without regard to case (§5.7).
  const prefix = /^__(?:secure|host-http|host|http)-/i.exec(name)?.[0].toLowerCase() ?? "";
  if (prefix !== "" && secure !== true) return "the prefix of its name needs secure: true";
  if (prefix.endsWith("http-") && httpOnly !== true) return "the prefix of its name needs httpOnly: true";
  if (!prefix.startsWith("__host-")) return null;
  return path !== "/" || domain !== undefined ? 'the prefix of its name needs path: "/" and no domain' : null;
}
