import { isDate } from "../http/javascript/any-realm.ts";
import { described } from "../http/javascript/described.ts";
import { ownOf } from "../http/javascript/property.ts";

/** The attributes of a cookie (RFC 6265 §4.1.2, draft-ietf-httpbis-rfc6265bis-22 §4.1.2). */
export interface CookieAttributes {
  /** The host, and all below it, that the cookie is sent to; without it, only the one that sets it. */
  readonly domain?: string | undefined;
  /** The path, and all below it, that the cookie is sent to. */
  readonly path?: string | undefined;
  /** When the browser forgets it; without it and `maxAgeSeconds`, at the end of the session. */
  readonly expires?: Date | undefined;
  /** How long the cookie lives; 0 or less deletes it. It goes before `expires`. */
  readonly maxAgeSeconds?: number | undefined;
  /** Whether the cookie is sent over TLS only. */
  readonly secure?: boolean | undefined;
  /** Whether scripts cannot read the cookie. */
  readonly httpOnly?: boolean | undefined;
  /**
   * Whether the cookie is sent with requests that pages of other sites make: never, only when the user goes here, or
   * always.
   */
  readonly sameSite?: "Strict" | "Lax" | "None" | undefined;
  /** Keeps a jar for each top-level site (CHIPS). */
  readonly partitioned?: boolean | undefined;
}

const names = ["domain", "path", "expires", "maxAgeSeconds", "secure", "httpOnly", "sameSite", "partitioned"] as const;

/** Puts attributes together: those further back go before, where they say something. */
export function mergedAttributes(...all: readonly (CookieAttributes | null)[]): CookieAttributes {
  const merged = all.map((attributes) => Object.entries(attributes ?? {}).filter(([, value]) => value !== undefined));
  return ownOf(Object.fromEntries(merged.flat())) as CookieAttributes;
}

/**
 * Why attributes are none, or would be ignored or mean something else, whatever the cookie; null if nothing is wrong.
 */
export function refusalOfAttributes(attributes: CookieAttributes): string | null {
  return refusalOfNames(attributes) ?? refusalOfValues(attributes) ?? refusalOfInsecure(attributes);
}

// Refuses misspelled names: without its attribute, the cookie would be less safe than it looks.
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

function refusalOfValues({ domain, path, expires, maxAgeSeconds, sameSite }: CookieAttributes): string | null {
  if (domain !== undefined && !isDomain(domain)) {
    return (
      'its domain must be a host name like "example.com", with labels of 1 to 63 letters, digits and inner ' +
      "hyphens, " +
      `and at most 253 characters, got ${described(domain)}`
    );
  }
  if (path !== undefined && !isTextLike(path, /^\/[\x20-\x3a\x3c-\x7e]{0,1023}$/)) {
    return `its path must begin with a slash, and cannot hold semicolons or control characters, got ${described(path)}`;
  }
  if (expires !== undefined && !isKnownDate(expires))
    return `its expires must be a Date of the years 1601 to 9999, got ${described(expires)}`;
  if (maxAgeSeconds !== undefined && !Number.isSafeInteger(maxAgeSeconds)) {
    return `its maxAgeSeconds must be a whole number, got ${described(maxAgeSeconds)}`;
  }
  const isSameSite = sameSite === undefined || ["Strict", "Lax", "None"].includes(sameSite);
  return isSameSite ? null : `its sameSite must be "Strict", "Lax" or "None", got ${described(sameSite)}`;
}

// Browsers lose a cookie whose domain no host has, and tell nobody.
function isDomain(value: unknown): boolean {
  if (typeof value !== "string") return false;
  // RFC 6265 §5.2.3: a leading dot is ignored.
  const host = value.startsWith(".") ? value.slice(1) : value;
  return host.length <= 253 && host.split(".").every(isLabel);
}

// RFC 1034 §3.5; RFC 1123 §2.1: a digit may come first.
function isLabel(label: string): boolean {
  return /^[-\dA-Za-z]{1,63}$/.test(label) && !label.startsWith("-") && !label.endsWith("-");
}

function isTextLike(value: unknown, expression: RegExp): boolean {
  return typeof value === "string" && expression.test(value);
}

// RFC 6265 §5.1.1: what is earlier fails; RFC 9110 §5.6.7: a year of four digits.
function isKnownDate(value: unknown): boolean {
  return isDate(value) && value.getUTCFullYear() >= 1601 && value.getUTCFullYear() <= 9999;
}

function refusalOfInsecure({ secure, sameSite, partitioned }: CookieAttributes): string | null {
  if (secure !== true && sameSite === "None") return 'sameSite "None" needs secure: true';
  if (secure !== true && partitioned === true) return "partitioned needs secure: true";
  return null;
}
