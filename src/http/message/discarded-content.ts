import { ownOf } from "../javascript/property.ts";

/**
 * Cancels a response that nobody will read. Does not wait: whatever a handler's stream then does is not the client's
 * business.
 */
export function discard({ body }: Pick<Body, "body">): void {
  // A locked stream is canceled by its reader.
  if (body === null || body.locked) return;
  stopFilling(body);
  body.cancel().catch(() => {});
}

/**
 * Stops the filling of a stream that is about to be canceled.
 *
 * From Node 24 on, the stream of a `FormData` is filled whether it is read or not (undici's `extractBody()`). If the
 * stream is canceled meanwhile, the filling rejects, nobody can catch that, and the process ends. Before each part,
 * undici asks `isErrored()` of node:stream, which reads the mark that this function sets.
 *
 * Other code reads the mark of canceled streams, too. So any stream may be marked, and client input, such as a content
 * type, never decides. The mark does not reach a form that a handler has piped elsewhere.
 */
export function stopFilling(content: ReadableStream): void {
  Reflect.defineProperty(content, Symbol.for("nodejs.stream.errored"), ownOf({ value: true }));
}
