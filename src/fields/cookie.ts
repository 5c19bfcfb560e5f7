import { trimmed } from "./list.ts";
import { isToken } from "./token.ts";

/**
 * Reads the value of `Cookie` (RFC 6265 §4.2). Of several with one name the first counts: its path is the longest
 * (§5.4). Values are given as they are, but without quotes around them; nothing is decoded. Members without a name are
 * left out.
 */
export function parseCookies(value: string): Map<string, string> {
  const cookies = new Map<string, string>();
  eachCookie(value, (name, text) => {
    if (!cookies.has(name)) cookies.set(name, text);
  });
  return cookies;
}

/** Reads all values of each name, in their order: servers should not rely on it (RFC 6265 §5.4). */
export function parseCookieValues(value: string): Map<string, readonly string[]> {
  const cookies = new Map<string, string[]>();
  eachCookie(value, (name, text) => {
    const values = cookies.get(name);
    if (values === undefined) cookies.set(name, [text]);
    else values.push(text);
  });
  return cookies;
}

/**
 * Visits the cookies in their order. Nothing is remembered, as with `Accept`: cookies are credentials, and differ from
 * client to client.
 */
function eachCookie(value: string, visit: (name: string, text: string) => void): void {
  for (let end = -1; end < value.length;) {
    const start = end + 1;
    end = value.indexOf(";", start);
    if (end === -1) end = value.length;
    const pair = value.slice(start, end);
    const equals = pair.indexOf("=");
    const name = trimmed(pair.slice(0, Math.max(0, equals)));
    if (isToken(name)) visit(name, unquoted(trimmed(pair.slice(equals + 1))));
  }
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
