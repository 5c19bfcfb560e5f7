import { given } from "../../http/given.ts";
import { isHost } from "../../http/host.ts";
import { makeLightRequest, makeRequest } from "./light-request.ts";
import { headersOf, signalOf, type NodeRequest, type NodeResponse } from "./message.ts";

/** What a handler gets for a request that the constructor of `Request` refuses, such as TRACE or the target `*`. */
export interface RequestLike {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: null;
  readonly signal: AbortSignal;
}

/**
 * Makes a Web `Request` from Node's, so that method and path are those of the request line, whatever the Host field says.
 *
 * CONNECT, TRACE, TRACK, tokens whose case `Request` would change, and targets without a path make a {@link RequestLike}
 * with the method, and the target if it is no URL, as they were sent.
 *
 * @param isLight whether it is made as far as it is read, and not of Node's own class.
 */
export function requestOf(message: NodeRequest, response: NodeResponse, isLight: boolean): Request | RequestLike {
  const { method = "", url: target = "" } = message;
  const url = urlOf(message, target);
  const isRequest = url !== null && /^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z-]+$/.test(method);
  if (isRequest && isLight) return makeLightRequest(message, response, url);
  const parts = { url: url ?? target, method, headers: headersOf(message), signal: signalOf(response) };
  return isRequest ? makeRequest(message, response, parts) : { ...parts, body: null };
}

// What the URL parser would leave as it is: names whose labels begin with a letter, the loopback address, ports of up to four
// digits that are nobody's default; segments that do not begin with a dot.
const plainHost =
  /^(?:(?:[a-z][a-z\d]*(?:-[a-z\d]+)*\.)*[a-z][a-z\d]*(?:-[a-z\d]+)*|127\.0\.0\.1)(?::(?!80$|443$)[1-9]\d{0,3})?$/;
const plainTarget = /^(?:\/(?!\.)[\w\-~!$&'()*+,;=:@.]*)+(?:\?[\w\-.~!$&()*+,;=:@/?%]*)?$/;

/** The URL that the client meant, as the URL parser writes it, or null if the target has no path. */
function urlOf({ headers, socket }: NodeRequest, target: string): string | null {
  const scheme = given(socket as { encrypted?: unknown }, "encrypted") === true ? "https" : "http";
  if (target.startsWith("/")) {
    const host = String(headers[":authority"] ?? headers.host ?? "");
    const isPlain = plainHost.test(host);
    const origin = `${scheme}://${isPlain || isHost(host) ? host : "localhost"}`;
    // PERF: the parser takes four times as long as these expressions, 490 ns for 130 (`bench/http`, fingerpost light).
    return isPlain && plainTarget.test(target) ? origin + target : new URL(origin + target).href;
  }
  // RFC 9112 §3.2.2: absolute-form, which a server must accept. A `Request` holds no credentials.
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(target) || !URL.canParse(target)) return null;
  const rest = target.slice(target.indexOf(":"));
  // RFC 9110 §7.4: how the request came is not the client's to say.
  const url = new URL(scheme + (/^https?:/i.test(target) ? rest : restOf(new URL(target))));
  url.username = url.password = "";
  return url.href;
}

/** What stands behind the scheme of a URL that is of no scheme of the web: there, a backslash is no slash. */
function restOf({ host, pathname, search }: URL): string {
  return `://${isHost(host) ? host : "localhost"}${pathname.replaceAll("\\", "%5C")}${search}`;
}
