import { parseList } from "./list.ts";
import { parseParameter } from "./field-parameters.ts";
import { isToken } from "./token.ts";

/** Reads the value of `Cache-Control` (RFC 9111 §5.2): directives in lower case, and their arguments, empty if none. */
export function parseCacheControl(value: string): Map<string, string> {
  const directives = new Map<string, string>();
  for (const member of parseList(value)) {
    const directive: [string, string] | null = isToken(member) ? [member.toLowerCase(), ""] : parseParameter(member);
    // RFC 9111 §4.2.1: of several that contradict each other, the first.
    if (directive !== null && !directives.has(directive[0])) directives.set(...directive);
  }
  return directives;
}

/**
 * Returns whether a value of `Cache-Control` keeps shared caches from an answer. `private` may name fields, and says
 * nothing of the content then (RFC 9111 §5.2.2.7).
 */
export function isUnshared(value: string): boolean {
  const directives = parseCacheControl(value);
  return directives.has("no-store") || directives.get("private") === "";
}

/** Returns whether a value of `Cache-Control` lets shared caches keep an answer that they otherwise may not. */
export function isPublic(value: string): boolean {
  const directives = parseCacheControl(value);
  return directives.has("public") || directives.has("s-maxage");
}

/** Says of a value of `Cache-Control` that it is for the client's own cache alone. */
export function unshared(value: string): string {
  const kept = parseList(value).filter((directive) => !/^(?:public|private|s-maxage)(?:=|$)/i.test(directive));
  return ["private", ...kept].join(", ");
}
