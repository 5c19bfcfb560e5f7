import { stopFilling } from "./discarded-content.ts";

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
