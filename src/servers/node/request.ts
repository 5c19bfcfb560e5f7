import { trustUrlsOf } from "../../dispatch/input.ts";
import { propertyOf, ownOf } from "../../http/javascript/property.ts";
import { isHost } from "../../http/protocol/host.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { imitate, withOwnFields } from "../../http/message/imitation.ts";
import { lightBytes, lightField } from "../../http/message/light-request.ts";
import { lightResponse } from "../../http/message/light-response.ts";
import { Response as OwnResponse } from "../../http/message/response.ts";
import { badRequest } from "../../http/protocol/status-constant.ts";
import { quiet, withQuietContent, withSharedContent } from "../../http/message/quiet-content.ts";
import { bytesOf, contentOf, hasContent } from "./content.ts";
import { isHttp2, signalOf, type NodeRequest, type NodeResponse } from "./client-leave.ts";

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
  // PERF: the URL parser takes four times as long as these expressions, 490 ns for 130 (`bench/requests`, fingerpost
  // light).
  const isPlain = plainHost.test(host) && plainTarget.test(target);
  const url = isPlain ? `${scheme}://${host}${target}` : parsedUrl(scheme, host, target);
  const isRequest = url !== null && /^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z-]+$/.test(method);
  if (isRequest && isLight) {
    if (Request !== basis) [basis, lightRequestClass] = [Request, lightClassOf(Request)];
    return new lightRequestClass!(message, response, url);
  }
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

/**
 * Reads the host that a client asks for, which may be empty.
 *
 * @throws {HTTPError} 400 when a message names several hosts, an invalid host, or none where it must (RFC 9112 §3.2).
 */
export function hostOf({ headers, rawHeaders, httpVersion }: NodeRequest): string {
  let fields = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") fields++;
  }
  // RFC 9113 §8.3.1: HTTP/2 has a pseudo field in its place, which counts if both are present.
  const name = Object.hasOwn(headers, ":authority") ? ":authority" : "host";
  const host = Object.hasOwn(headers, name) ? String(headers[name]) : "";
  const isMissing = fields === 0 && httpVersion === "1.1" && !Object.hasOwn(headers, name);
  const isValid = plainHost.test(host) || host === "" || (registeredName.test(host) && isHost(host));
  if (fields > 1 || isMissing || !isValid) throw refusal(badRequest);
  return host;
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

/** The header fields of a message, as they were sent. */
function headersOf({ rawHeaders }: NodeRequest): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // RFC 9113 §8.3: pseudo fields are not fields.
    if (!name.startsWith(":")) headers.append(name, rawHeaders[i + 1] as string);
  }
  return headers;
}

/** Returns one header field of a message, as `Headers` would return it. */
function fieldIn({ rawHeaders }: NodeRequest, asked: string): string | null {
  const name = asked.toLowerCase();
  let found: string | null = null;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length !== name.length || sent.toLowerCase() !== name || name.startsWith(":")) continue;
    const value = rawHeaders[at + 1]!;
    // The Fetch standard combines all fields by commas except this one (§2.2.2).
    found = found === null ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}

type RequestParts = Pick<Request, "url" | "method" | "headers"> & { readonly signal?: AbortSignal | null };

/** Makes a `Request` of a class that makes whole ones: Node's, or a replacement of it. */
function wholeRequest(
  Whole: typeof Request,
  message: NodeRequest,
  response: NodeResponse,
  { url, method, headers, signal = null }: RequestParts,
): Request {
  const body = hasContent(message, response) ? contentOf(message, response) : null;
  // `duplex` is required with a stream, and unknown to the DOM's types.
  return new Whole(url, ownOf<object>({ method, headers, signal, body, duplex: "half" }));
}

function decoded(bytes: Uint8Array | null): string {
  return new TextDecoder().decode(bytes!);
}

const messages = new WeakMap<object, NodeRequest>();
const messageIn: unique symbol = Symbol("messageIn");

/** Returns the message that a request was made of, if we made it. */
export function messageOf(request: object): NodeRequest | undefined {
  return (request as { readonly [messageIn]?: NodeRequest })[messageIn] ?? messages.get(request);
}

type LightRequestClass = new (message: NodeRequest, response: NodeResponse, url: string) => Request;

/** The class of light requests for a class of whole ones, which other packages may replace at any time. */
let lightRequestClass: LightRequestClass | undefined;
let basis: typeof Request | undefined;

/**
 * Makes the class of a light `Request`, which holds only the parts that a handler reads. Fields and signal are made on
 * first use. For other members it makes a whole `Request` and asks that.
 *
 * An instance is an `instanceof Request`. `new Request(request)` and `fetch(request)` throw a `TypeError`, and so does
 * other code that checks for internals of Node's own class (`decisions/024`).
 *
 * Made as late as possible: reading the global `Request` costs Node milliseconds, which contexts need not pay.
 */
function lightClassOf(Whole: typeof Request): LightRequestClass {
  class LightRequest {
    readonly #message: NodeRequest;
    readonly #response: NodeResponse;
    readonly #url: string;
    #headers: Headers | undefined;
    #signal: AbortSignal | undefined;
    #whole: Request | undefined;
    #isRead = false;

    constructor(message: NodeRequest, response: NodeResponse, url: string) {
      this.#message = message;
      this.#response = response;
      this.#url = url;
    }

    static whole(request: LightRequest): Request {
      const { url, method, headers } = request;
      if (request.#whole !== undefined) return withOwnFields(request.#whole, headers);
      if (request.#isRead) {
        request.#whole = new Whole(url, ownOf({ method, headers, body: "" }));
        void request.#whole.text();
        return request.#whole;
      }
      // PERF: without a signal, which costs more than the rest of it (`decisions/024`).
      return (request.#whole = wholeRequest(Whole, request.#message, request.#response, { url, method, headers }));
    }

    get url(): string {
      return this.#url;
    }

    get method(): string {
      return this.#message.method as string;
    }

    get headers(): Headers {
      return (this.#headers ??= headersOf(this.#message));
    }

    /** Returns whether a member is our own: neither a `Proxy` nor a property of its own stands in for it. */
    static isOwn(request: LightRequest, name: string): boolean {
      return #message in request && !Object.hasOwn(request, name);
    }

    [lightField](name: string): string | null | undefined {
      if (!isOwn(this, "headers")) return undefined;
      return this.#headers === undefined ? fieldIn(this.#message, name) : this.#headers.get(name);
    }

    get signal(): AbortSignal {
      return (this.#signal ??= signalOf(this.#response));
    }

    get body(): ReadableStream<Uint8Array> | null {
      return hasContent(this.#message, this.#response) ? LightRequest.whole(this).body : null;
    }

    get bodyUsed(): boolean {
      return this.#whole?.bodyUsed ?? this.#isRead;
    }

    [lightBytes](maxBytes: number): ReturnType<typeof bytesOf> | null {
      if (
        !isOwn(this, "body") ||
        this.#whole !== undefined ||
        this.#isRead ||
        !hasContent(this.#message, this.#response)
      )
        return null;
      this.#isRead = true;
      return bytesOf(this.#message, this.#response, maxBytes);
    }

    text(): Promise<string> {
      const bytes = this[lightBytes](Infinity);
      return quiet(bytes === null ? LightRequest.whole(this).text() : bytes.then(decoded));
    }

    json(): Promise<unknown> {
      return quiet(this.text().then((text) => JSON.parse(text) as unknown));
    }

    // PERF: a 404 takes 35 us with it, and 103 with the platform's (`node bench/requests.js --measure=sockets --rows=R6`).
    get [lightResponse](): typeof Response {
      return OwnResponse;
    }

    get [messageIn](): NodeRequest {
      return this.#message;
    }

    clone(): Request {
      const request = LightRequest.whole(this);
      const init = ownOf({ signal: this.signal });
      const clone = withSharedContent(request, init) ?? new Whole(request.clone(), init);
      return hasContent(this.#message, this.#response) ? withQuietContent(clone) : clone;
    }
  }

  const { prototype, whole, isOwn } = LightRequest;
  Reflect.deleteProperty(prototype, "constructor");
  imitate(LightRequest, Whole, whole, quiet);
  trustUrlsOf(prototype);
  return LightRequest as unknown as LightRequestClass;
}
