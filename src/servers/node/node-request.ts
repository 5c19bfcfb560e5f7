import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { trustUrlsOf } from "../../dispatch/input.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { imitate, withOwnFields } from "../../http/message/imitation.ts";
import {
  heldValues,
  lightBytes,
  lightChunks,
  lightField,
  lightFurther,
  lightSelf,
  type HeldValue,
  type LightChunks,
} from "../../http/message/light-request.ts";
import { lightResponse } from "../../http/message/light-response.ts";
import { quiet, withQuietContent, withSharedContent } from "../../http/message/quiet-content.ts";
import { Response as OwnResponse } from "../../http/message/response.ts";
import { chunksOf } from "./content-chunks.ts";
import { bytesOf, hasContent } from "./content.ts";
import { signalOf, signalOfSocket, type NodeRequest, type NodeResponse } from "./client-leave.ts";
import { headersOf, wholeRequest } from "./whole-request.ts";

/** Names the member of a light request that is the message it was made of. */
export const messageIn: unique symbol = Symbol("messageIn");

const wholeClass: unique symbol = Symbol("wholeClass");

/** The parts of a message that a light request needs after its handshake. Node's own takes a kilobyte more. */
export class SettledMessage {
  readonly method: string;
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;

  constructor({
    method,
    rawHeaders,
    socket,
  }: Pick<IncomingMessage, "method" | "socket"> & Pick<SettledMessage, "rawHeaders">) {
    this.method = method as string;
    this.rawHeaders = rawHeaders;
    this.socket = socket;
  }
}

/** What stands for the message of a light request that belongs to another one. */
class FurtherMessage extends SettledMessage {
  readonly from: LightRequest;
  readonly content: Uint8Array<ArrayBuffer> | null;

  constructor(message: SettledMessage, from: LightRequest, content: string | null) {
    super(message);
    this.from = from;
    this.content = content === null ? null : new TextEncoder().encode(content);
  }
}

/**
 * Lets a light request go of its message and its response, for as long as the connection that it began. Returns what it
 * keeps; null for another request.
 */
export function settleHandshake(request: object): SettledMessage | null {
  return LightRequest.settle(request);
}

type LightRequestClass = new (message: NodeRequest, response: NodeResponse, url: string) => Request;

/** The class of light requests for a class of whole ones, which other packages may replace at any time. */
let lightClass: LightRequestClass | undefined;
let basis: typeof Request | undefined;

/**
 * Makes a light `Request` that passes for one of the class that is the global `Request` now. Its class is made by the
 * first one: reading the global `Request` costs Node milliseconds, which contexts need not pay.
 */
export function lightRequestOf(message: NodeRequest, response: NodeResponse, url: string): Request {
  if (Request !== basis) [basis, lightClass] = [Request, lightClassOf(Request)];
  return new lightClass!(message, response, url);
}

/**
 * A light `Request`, which holds only the parts that a handler reads. Fields and signal are made on first use. For
 * other members it makes a whole `Request` and asks that. An instance is an `instanceof Request`.
 * `new Request(request)` and `fetch(request)` throw a `TypeError`, and so does other code that checks for internals of
 * Node's own class (`decisions/024`).
 */
class LightRequest {
  declare readonly [wholeClass]: typeof Request;
  #message: NodeRequest;
  /** Null after a handshake. */
  #response: NodeResponse | null;
  readonly #url: string;
  #headers: Headers | undefined;
  #signal: AbortSignal | undefined;
  #whole: Request | undefined;
  #values: HeldValue | null = null;
  #isRead = false;

  constructor(message: NodeRequest, response: NodeResponse, url: string) {
    this.#message = message;
    this.#response = response;
    this.#url = url;
  }

  static settle(request: object): SettledMessage | null {
    if (!(#message in request)) return null;
    const settled = new SettledMessage(request.#message as IncomingMessage);
    request.#message = settled as unknown as NodeRequest;
    request.#response = null;
    return settled;
  }

  static whole(request: LightRequest): Request {
    const { url, method, headers, [wholeClass]: Whole } = request;
    if (request.#whole !== undefined) return withOwnFields(request.#whole, headers);
    if (request.#isRead || request.#given !== null) {
      request.#whole = new Whole(url, ownOf({ method, headers, body: request.#isRead ? "" : request.#given }));
      if (request.#isRead) void request.#whole.text();
      return request.#whole;
    }
    // Without a signal, which costs more than the rest of the request (`decisions/024`).
    return (request.#whole = wholeRequest(Whole, request.#message, request.#response!, { url, method, headers }));
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
    if (!LightRequest.isOwn(this, "headers")) return undefined;
    return this.#headers === undefined ? fieldIn(this.#message, name) : this.#headers.get(name);
  }

  /** The content of a request that belongs to another one. */
  get #given(): Uint8Array<ArrayBuffer> | null {
    return this.#message instanceof FurtherMessage ? this.#message.content : null;
  }

  get #hasContent(): boolean {
    return this.#given !== null || hasContent(this.#message, this.#response!);
  }

  get signal(): AbortSignal {
    if (this.#message instanceof FurtherMessage) return this.#message.from.signal;
    return (this.#signal ??=
      this.#response === null ? signalOfSocket(this.#message.socket as Socket) : signalOf(this.#response));
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#hasContent ? LightRequest.whole(this).body : null;
  }

  get bodyUsed(): boolean {
    return this.#whole?.bodyUsed ?? this.#isRead;
  }

  [lightBytes](maxBytes: number, input: object): ReturnType<typeof bytesOf> | null {
    if (!LightRequest.#isTaken(this, input)) return null;
    const given = this.#given;
    if (given === null) return bytesOf(this.#message, this.#response!, maxBytes);
    return Promise.resolve(given.length > maxBytes ? null : given);
  }

  [lightChunks](input: object): LightChunks | null {
    return this.#given === null && LightRequest.#isTaken(this, input) ? chunksOf(this.#message, this.#response!) : null;
  }

  /** Takes the content for a reader that needs no stream. Returns false if there is none, or if it is taken. */
  static #isTaken(request: LightRequest, input: object): boolean {
    if (
      // A `Proxy` may run this on its target.
      request !== input ||
      !LightRequest.isOwn(request, "body") ||
      request.#whole !== undefined ||
      request.#isRead ||
      !request.#hasContent
    )
      return false;
    request.#isRead = true;
    return true;
  }

  text(): Promise<string> {
    const bytes = this[lightBytes](Infinity, this);
    return quiet(
      bytes === null ? LightRequest.whole(this).text() : bytes.then((all) => new TextDecoder().decode(all!)),
    );
  }

  json(): Promise<unknown> {
    return quiet(this.text().then((text) => JSON.parse(text) as unknown));
  }

  // PERF: a 404 takes 35 us with it, and 103 with the platform's
  // (`node bench/requests.js --measure=sockets --rows=R6`).
  get [lightResponse](): typeof Response {
    return OwnResponse;
  }

  get [lightSelf](): object {
    return this;
  }

  [lightFurther](url: string, method: string, rawHeaders: readonly string[], content: string | null): Request {
    const { socket } = this.#message;
    const message = new FurtherMessage({ method, rawHeaders, socket }, this, content);
    return lightRequestOf(message as unknown as NodeRequest, this.#response!, url);
  }

  get [heldValues](): HeldValue | null | undefined {
    return #message in this ? this.#values : undefined;
  }

  set [heldValues](last: HeldValue) {
    this.#values = last;
  }

  get [messageIn](): NodeRequest {
    return this.#message;
  }

  clone(): Request {
    const request = LightRequest.whole(this);
    const init = ownOf({ signal: this.signal });
    const clone = withSharedContent(request, init) ?? new this[wholeClass](request.clone(), init);
    return this.#hasContent ? withQuietContent(clone) : clone;
  }
}

function lightClassOf(Whole: typeof Request): LightRequestClass {
  class Light extends LightRequest {}
  const { constructor: _, ...own } = Object.getOwnPropertyDescriptors(LightRequest.prototype);
  const { prototype } = Light;
  Reflect.deleteProperty(prototype, "constructor");
  Object.defineProperties(prototype, { ...own, [wholeClass]: { value: Whole } });
  imitate(Light, Whole, LightRequest.whole, quiet);
  trustUrlsOf(prototype);
  return Light as unknown as LightRequestClass;
}

/** Returns one header field of a message, as `Headers` would return it. */
function fieldIn({ rawHeaders }: NodeRequest, asked: string): string | null {
  const name = asked.toLowerCase();
  let found: string | null = null;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length !== name.length || !isSameName(sent, name) || name.startsWith(":")) continue;
    const value = rawHeaders[at + 1]!;
    // The Fetch standard combines all fields by commas except this one (§2.2.2).
    found = found === null ? value : `${found}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}

/**
 * Returns whether a name that was sent is one in lower case, of the same length. No copy in lower case is made of each
 * name of that length, for each request.
 */
function isSameName(sent: string, name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = sent.charCodeAt(at);
    const isUpper = code >= 0x41 && code <= 0x5a;
    if ((isUpper ? code | 0x20 : code) !== name.charCodeAt(at)) return false;
  }
  return true;
}
