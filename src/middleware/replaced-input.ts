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
 * A `Request` gives a `Request`, any other object, such as a context, a shallow copy.
 */
export function replacedInput(input: object, replacement: Replacement): object {
  const other =
    input instanceof Request
      ? requestLike(input, replacement)
      : Object.assign(Object.create(Object.getPrototypeOf(input)) as object, input, replacement);
  standIn(other, input);
  return other;
}

function requestLike(request: Request, replacement: Replacement): Request {
  const { body, signal } = request;
  // The stream is handed over as it is: left out, it would be piped through another one. `duplex` is unknown to the DOM's types.
  const init: RequestInit & { readonly duplex: "half" } = { body, signal, duplex: "half", ...replacement };
  if (isRequest(request)) return new Request(request, init);
  // A light class of a server's own, which the constructor may not be able to read.
  return new Request(request.url, { method: request.method, headers: request.headers, ...init });
}
