import { isRequest } from "./input.ts";
import { given, ownOf } from "../http/given.ts";
import { withQuietContent } from "../http/quiet-content.ts";
import { carryHostProperties } from "./host-properties.ts";

/** What a replaced input has of its own. */
export interface Replacement {
  /** Only of a `Request`. */
  readonly url?: string;
  readonly headers?: Headers;
  readonly signal?: AbortSignal;
  readonly body?: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
}

/**
 * Makes an input with another signal, content or URL, to pass on in place of the one that came in.
 *
 * A `Request` gives a `Request`, with as much of the content as nobody has read; if nothing is left to be read, reading fails
 * as it would before. What the host put on it, such as `ip`, is there, too. Any other object, such as a context, gives a
 * shallow copy, so that its class must keep nothing private.
 */
export function replacedInput(input: object, replacement: Replacement): object {
  return input instanceof Request
    ? replacedRequest(input, replacement)
    : Object.assign(Object.create(Object.getPrototypeOf(input)) as object, input, replacement);
}

/**
 * By the signal of a request: what was made of it.
 *
 * The signal of a `Request` of Node follows another one only as long as that `Request` is there, and whoever waits for it may hold
 * nothing but the signal. So it is kept as long as the signal that it follows is.
 */
const followers = new WeakMap<AbortSignal, Set<Request>>();

/** More than any request has at once: a host that passes one signal with all of its requests would have all of them kept. */
const mostFollowers = 100;

function keep(follower: Request, signal: AbortSignal): void {
  const kept = followers.get(signal) ?? new Set();
  followers.set(signal, kept.add(follower));
  if (kept.size > mostFollowers) for (const oldest of kept) return void kept.delete(oldest);
}

function replacedRequest(request: Request, replacement: Replacement): Request {
  const { method, signal, body: original } = request;
  const isLocked = original?.locked === true && given(replacement, "body") === undefined;
  const body =
    given(replacement, "body") ?? (isLocked ? new ReadableStream<Uint8Array<ArrayBuffer>>() : takeRest(request));
  // The stream is handed over as it is: left out, it would be piped through another one. `duplex` is unknown to the DOM's types.
  const init: RequestInit & { readonly duplex: "half" } = ownOf({
    method,
    signal,
    duplex: "half",
    ...replacement,
    body,
  });
  // The constructor may not be able to read a light class of a server's own.
  const url = given(replacement, "url");
  const other =
    isRequest(request) && url === undefined
      ? new Request(request, init)
      : new Request(url ?? request.url, ownOf({ headers: request.headers, ...init }));
  carryHostProperties(request, other);
  if (signal instanceof AbortSignal) keep(other, signal);
  if (isLocked) spend(other);
  return body === null ? other : withQuietContent(other);
}

/** The content that is left of a request: what has been read belongs to who read it, and no constructor takes it. */
function takeRest(request: Request): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  const { body } = request;
  return body !== null && hasBeenRead(request) ? body.pipeThrough(new TransformStream()) : body;
}

/** Has nobody take for empty what somebody else has locked: who reads it fails, as with the request that came in. */
function spend(request: Request): void {
  void request.body?.getReader().cancel();
}

function hasBeenRead(request: Request): boolean {
  try {
    return request.bodyUsed;
  } catch {
    // A light class that leaves it to the getter of Request, which knows nothing of it.
    return false;
  }
}
