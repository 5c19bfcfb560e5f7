import { ownOf } from "./given.ts";

/** Reads content part by part. */
export type ContentReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** Locks content to a reader that can cancel any content, forms included. */
export function readerOf(content: ReadableStream<Uint8Array>): ContentReader {
  const reader = content.getReader();
  return {
    read: reader.read.bind(reader),
    cancel(reason) {
      stopFilling(content);
      return reader.cancel(reason);
    },
  };
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
