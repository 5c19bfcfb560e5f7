import { ownOf } from "./given.ts";

/** What content is read by: a part at a time. */
export type ContentReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** Locks content to a reader that can cancel whatever it is, be it a form. */
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
 * Has nobody fill a stream any more that is about to be canceled.
 *
 * From Node 24 on, the stream of a `FormData` is filled whether it is read or not (undici's `extractBody()`). Where it was canceled
 * meanwhile, that rejects, nobody can catch it, and the process ends. Before each part, undici asks isErrored() of node:stream, which
 * reads the mark that this sets. Others read it, too, of streams that are canceled: so each may be marked, and nothing that a client
 * can say, such as a content type, decides. The mark does not reach a form that a handler has piped elsewhere.
 */
export function stopFilling(content: ReadableStream): void {
  Reflect.defineProperty(content, Symbol.for("nodejs.stream.errored"), ownOf({ value: true }));
}
