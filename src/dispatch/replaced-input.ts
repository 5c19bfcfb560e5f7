import { isBytes, isWebRequest } from "../http/javascript/any-realm.ts";
import { ownSignal } from "../http/javascript/any-signal.ts";
import { isRequest } from "./input.ts";
import { routedBy } from "./input-exchange.ts";
import { hasProperty, propertyOf, ownOf } from "../http/javascript/property.ts";
import { lightBytes } from "../http/message/light-request.ts";
import { withQuietContent } from "../http/message/quiet-content.ts";
import { carryHostProperties } from "./host-properties.ts";

export interface Replacement {
  /** Only for a `Request`. */
  readonly url?: string;
  readonly headers?: Headers;
  readonly signal?: AbortSignal;
  readonly body?: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
}

/**
 * Makes an input with another signal, content or URL, to pass on instead of the one that came in. For a `Request` it
 * returns a `Request` with the unread rest of the content. If nothing is left, reading fails as before. Properties that
 * the host put on it, such as `ip`, are copied. For any other object, such as a context, it returns a shallow copy. So
 * its class must keep nothing private.
 */
export function replacedInput(input: object, replacement: Replacement): object {
  return isWebRequest(input) ? replacedRequest(input, replacement) : replacedContext(input, replacement);
}

function replacedContext(input: object, replacement: Replacement): object {
  const { url, method } = routedBy(input);
  const properties = Object.fromEntries(
    Reflect.ownKeys(input)
      .filter((key) => key !== "url" && key !== "method" && Object.prototype.propertyIsEnumerable.call(input, key))
      .map((key) => [key, (input as Record<PropertyKey, unknown>)[key]]),
  );
  const copy = Object.create(Object.getPrototypeOf(input) as object) as object;
  // Defined: its class may have getters of these names.
  const routed = { writable: true, enumerable: true, configurable: true };
  Object.defineProperty(copy, "url", ownOf({ ...routed, value: url }));
  Object.defineProperty(copy, "method", ownOf({ ...routed, value: method }));
  return Object.assign(copy, properties, replacement);
}

/**
 * The requests that were made with a signal, by that signal. On Node the signal of a `Request` follows another signal
 * only while that `Request` is alive. A waiting handler may hold nothing but the signal. So the request is kept as long
 * as the signal that it follows.
 */
const followers = new WeakMap<AbortSignal, Set<Request>>();

/**
 * More than any request has at once. A host that passes one signal with all of its requests would have all of them
 * kept.
 */
const mostFollowers = 100;

function keep(follower: Request, signal: AbortSignal): void {
  const kept = followers.get(signal) ?? new Set();
  followers.set(signal, kept.add(follower));
  if (kept.size > mostFollowers) for (const oldest of kept) return void kept.delete(oldest);
}

function replacedRequest(request: Request, replacement: Replacement): Request {
  const { method, url: routed } = routedBy(request);
  const signal = ownSignal(request.signal);
  const given = propertyOf(replacement, "body") ?? heldBy(request);
  // A light request makes a whole one of itself where its content is asked for.
  const isLocked = given === null && request.body?.locked === true;
  const body = given ?? (isLocked ? new ReadableStream<Uint8Array<ArrayBuffer>>() : takeRest(request));
  // The stream is handed over as it is. If left out, it would be piped through another one. `duplex` is unknown to the
  // DOM's types.
  const init: RequestInit & { readonly duplex: "half" } = ownOf({
    method,
    signal,
    duplex: "half",
    ...knownToWorkers(request),
    ...replacement,
    body,
  });
  // The constructor may not be able to read a server's own light class.
  const url = propertyOf(replacement, "url");
  const other =
    isRequest(request) && url === undefined
      ? new Request(request, init)
      : new Request(url ?? routed, ownOf({ headers: request.headers, ...init }));
  const fields = propertyOf(replacement, "headers");
  // Bun 1.4 keeps those of the request where none are given: what was made is emptied, whatever it has.
  const kept = fields?.keys().next().done === true ? [...other.headers.keys()] : [];
  for (const name of kept) other.headers.delete(name);
  carryHostProperties(request, other);
  if (signal instanceof AbortSignal) keep(other, signal);
  if (isLocked) spend(other);
  if (body === null) return other;
  return withQuietContent(isBytes(body) ? holding(other, body as Uint8Array<ArrayBuffer>) : other);
}

/** Names the bytes that a request was made of: middleware has read them, and nobody reads them off a stream again. */
const held: unique symbol = Symbol("held");

interface Holding {
  readonly [held]?: Uint8Array<ArrayBuffer>;
}

function holding(request: Request, bytes: Uint8Array<ArrayBuffer>): Request {
  const value = (maxBytes: number, input: object): Promise<Uint8Array<ArrayBuffer> | null> | null =>
    (input === request || null) && heldBy(request) && Promise.resolve(bytes.length > maxBytes ? null : bytes);
  Object.defineProperty(request, held, ownOf({ value: bytes }));
  return Object.defineProperty(request, lightBytes, ownOf({ value }));
}

/** Returns the bytes that a request holds. Null where it holds none, or somebody has begun to read or replace them. */
function heldBy(request: Request & Holding): Uint8Array<ArrayBuffer> | null {
  if (!Object.hasOwn(request, held) || Object.hasOwn(request, "body")) return null;
  return request.bodyUsed || request.body?.locked === true ? null : request[held]!;
}

/**
 * Returns what a request of Workers has besides those of other runtimes: where it came in, and that redirects of
 * `fetch()` are passed on. A new URL would lose both.
 */
function knownToWorkers(request: Request & { readonly cf?: unknown }): object {
  // The getters refuse a light request, which inherits them.
  if (!isRequest(request) || !hasProperty(request, "cf")) return {};
  const { cf, redirect } = request;
  return { cf, redirect };
}

/**
 * Takes the unread rest of a request's content. The part that was read belongs to its reader, and no constructor takes
 * it.
 */
function takeRest(request: Request): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const { body } = request;
  return body !== null && hasBeenRead(request) ? body.pipeThrough(new TransformStream()) : body;
}

/**
 * Locks content that somebody else has locked, so that it does not look empty: reading it fails, as with the request
 * that came in.
 */
function spend(request: Request): void {
  void request.body?.getReader().cancel();
}

function hasBeenRead(request: Request): boolean {
  try {
    return request.bodyUsed;
  } catch {
    // A light class that inherits the getter of `Request`, which does not know it.
    return false;
  }
}
