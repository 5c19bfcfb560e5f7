import { isRequest } from "../core/input.ts";
import { standIn } from "../core/stand-in.ts";

/** What a replaced input has of its own. */
export interface Replacement {
  readonly headers?: Headers;
  readonly signal?: AbortSignal;
  readonly body?: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
}

/**
 * Makes an input with another signal or other content, to be passed to `next()` in place of the one that came in.
 *
 * A `Request` gives a `Request`, without content if that has been read; any other object, such as a context, a shallow copy,
 * whose getters and methods are those of the object itself, as its class may keep private what they need.
 */
export function replacedInput(input: object, replacement: Replacement): object {
  const other = input instanceof Request ? requestLike(input, replacement) : objectLike(input, replacement);
  standIn(other, input);
  return other;
}

function objectLike(original: object, replacement: Replacement): object {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(original)) as object, original, replacement);
  return new Proxy(copy, {
    get(target, key): unknown {
      const isInherited = !Object.hasOwn(target, key) && key !== "constructor";
      const value: unknown = Reflect.get(isInherited ? original : target, key);
      return isInherited && typeof value === "function" ? value.bind(original) : value;
    },
  });
}

function requestLike(request: Request, replacement: Replacement): Request {
  const isRead = hasBeenRead(request);
  const { signal } = request;
  // What has been read belongs to who read it, and the constructor refuses to hand it over.
  const body = isRead ? null : request.body;
  // The stream is handed over as it is: left out, it would be piped through another one. `duplex` is unknown to the DOM's types.
  const init: RequestInit & { readonly duplex: "half" } = { body, signal, duplex: "half", ...replacement };
  if (isRequest(request) && !isRead) return new Request(request, init);
  // A light class of a server's own, which the constructor may not be able to read.
  return new Request(request.url, { method: request.method, headers: request.headers, ...init });
}

/** Whether content was read, so that nothing of it is left for anyone else. */
export function hasBeenRead(request: Request): boolean {
  try {
    return request.bodyUsed;
  } catch {
    // A light class that leaves it to the getter of Request, which knows nothing of it.
    return false;
  }
}
