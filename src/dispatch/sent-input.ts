import { parsedURL } from "../http/protocol/host.ts";
import { pathOf } from "../routing/request/target-path.ts";
import { hostedBy, originalOf } from "./input-exchange.ts";

/**
 * Returns the input that came in from a client. A replacement, the request of a mounted application and the call of a
 * tool lead to it.
 */
export function sentBy(input: object): object {
  const original = originalOf(input);
  const around = hostedBy(original);
  return around === undefined ? original : sentBy(around);
}

/**
 * Returns a URL of `http` or `https` in the form that all its spellings share (RFC 3986 §6.2.2, §6.2.3), without query
 * and fragment. The path is written as it is matched. Null for anything else, and with a user name or password.
 */
export function sharedUrlForm(url: string): string | null {
  const parsed = parsedURL(url);
  const path = pathOf(url);
  if (parsed === null || typeof path !== "string" || parsed.username !== "" || parsed.password !== "") return null;
  return /^https?:$/.test(parsed.protocol) ? parsed.origin + path : null;
}
