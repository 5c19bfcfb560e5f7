import { propertyOf } from "../../http/javascript/property.ts";
import { isHost } from "../../http/protocol/host.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { badRequest } from "../../http/protocol/status-constant.ts";
import { withQuietContent } from "../../http/message/quiet-content.ts";
import { hasContent } from "./content.ts";
import { isHttp2, signalOf, type NodeRequest, type NodeResponse } from "./client-leave.ts";
import { lightRequestOf, messageIn } from "./node-request.ts";
import { headersOf, wholeRequest } from "./whole-request.ts";

/** The input of a handler for a request that the constructor of `Request` refuses, such as TRACE or the target `*`. */
export interface RequestLike {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: null;
  readonly signal: AbortSignal;
}

/**
 * Makes a Web `Request` from Node's. Method and path come from the request line, whatever the Host field says.
 *
 * Some requests make a {@link RequestLike}: CONNECT, TRACE, TRACK, tokens whose case `Request` would change, and
 * targets without a path. It has the method as it was sent, and the target, too, if that is not a URL.
 *
 * @param isLight whether it is made only as far as it is read, and not of Node's own class.
 * @throws {HTTPError} 400 when the message has no valid Host field.
 */
export function requestOf(message: NodeRequest, response: NodeResponse, isLight: boolean): Request | RequestLike {
  const { method = "", url: target = "" } = message;
  const host = hostOf(message);
  const { encrypted } = message.socket as { encrypted?: unknown };
  const scheme = encrypted === true && isEncrypted(message, response) ? "https" : "http";
  // PERF: the URL parser takes 4 times as long as these expressions, 490 ns for 130 (`node bench/requests.js`).
  const isPlain = host === lastPlainHost && plainTarget.test(target);
  const url = isPlain ? `${scheme}://${host}${target}` : parsedUrl(scheme, host, target);
  const isRequest = url !== null && /^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z-]+$/.test(method);
  if (isRequest && isLight) return lightRequestOf(message, response, url);
  const parts = { url: url ?? target, method, headers: headersOf(message), signal: signalOf(response) };
  const request = isRequest ? wholeRequest(Request, message, response, parts) : { ...parts, body: null };
  messages.set(request, message);
  if (!(request instanceof Request)) return request;
  return hasContent(message, response) ? withQuietContent(request) : request;
}

// Hosts and targets that the URL parser would leave as they are. Names have labels that begin with a letter, or it is
// the loopback address. Ports are not a default. Segments do not begin with a dot.
const plainHost =
  /^(?=[^:]{1,255}(?::|$))(?:(?:[a-z][a-z\d]*(?:-[a-z\d]+)*\.)*[a-z][a-z\d]*(?:-[a-z\d]+)*|127\.0\.0\.1)(?::(?!80$|443$)(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?$/;
// RFC 3986 §3.2.2, followed by a port.
const registeredName = /^[\w\-.~!$&'()*+,;=%:[\]]*$/;
const plainTarget = /^(?:\/(?!\.)[\w\-~!$&'()*+,;=:@.]*)+(?:\?[\w\-.~!$&()*+,;=:@/?%]*)?$/;

/** The last host that was plain: most requests name the same one. */
let lastPlainHost: string | null = null;

/**
 * Reads the host that a client asks for, which may be empty.
 * @throws {HTTPError} 400 when a message names several hosts, an invalid host, or none where it must (RFC 9112 §3.2).
 */
export function hostOf({ headers, rawHeaders, httpVersion }: NodeRequest): string {
  let fields = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") fields++;
  }
  // RFC 9113 §8.3.1: HTTP/2 has a pseudo field in its place. Two that differ are malformed.
  const name = Object.hasOwn(headers, ":authority") ? ":authority" : "host";
  const host = Object.hasOwn(headers, name) ? String(headers[name]) : "";
  const isMissing = fields === 0 && httpVersion === "1.1" && !Object.hasOwn(headers, name);
  if (host !== lastPlainHost && plainHost.test(host)) lastPlainHost = host;
  const isValid = host === lastPlainHost || host === "" || (registeredName.test(host) && isHost(host));
  const isOther = fields === 1 && name !== "host" && !isSameText(String(headers["host"]), host);
  if (fields > 1 || isMissing || isOther || !isValid) throw refusal(badRequest);
  return host;
}

function isSameText(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}

/** Returns whether the connection is encrypted. Ignores a property that someone put on all objects. */
function isEncrypted({ socket }: NodeRequest, response: NodeResponse): boolean {
  if (isHttp2(response)) return response.stream.session?.encrypted === true;
  return propertyOf(socket as { encrypted?: unknown }, "encrypted") === true;
}

/** Returns the URL that the client meant, as the URL parser writes it, or null if the target has no path. */
function parsedUrl(scheme: string, host: string, target: string): string | null {
  if (target.startsWith("/")) return new URL(`${scheme}://${host === "" ? "localhost" : host}${target}`).href;
  // RFC 9112 §3.2.2: absolute-form, which a server must accept. A `Request` holds no credentials.
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(target) || !URL.canParse(target)) return null;
  const rest = target.slice(target.indexOf(":"));
  // RFC 9110 §7.4: the client cannot decide the scheme of its connection.
  const url = new URL(scheme + (/^https?:/i.test(target) ? rest : restOf(new URL(target))));
  url.username = url.password = "";
  return url.href;
}

/**
 * Returns the part after the scheme of a URL with a scheme that is not of the web. In such URLs, a backslash is not a
 * slash.
 */
function restOf({ host, pathname, search }: URL): string {
  return `://${isHost(host) ? host : "localhost"}${pathname.replaceAll("\\", "%5C")}${search}`;
}

const messages = new WeakMap<object, NodeRequest>();

export function messageOf(request: object): NodeRequest | undefined {
  return (request as { readonly [messageIn]?: NodeRequest })[messageIn] ?? messages.get(request);
}
