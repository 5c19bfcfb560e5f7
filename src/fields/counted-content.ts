import { readerOf } from "../http/message/content-reader.ts";
import { SharedContent } from "../http/message/shared-content.ts";
import type { HTTPError } from "../http/protocol/http-error.ts";
import { bounded, type ChunkReader } from "./whole-content.ts";

/**
 * The same content, which fails where it is longer. Nothing is read before it is asked for.
 * @param errorOf makes the error when the content turns out to be longer.
 */
export function counted(
  content: ReadableStream<Uint8Array>,
  maxBytes: number,
  errorOf: () => HTTPError,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamOf(bounded(readerOf(content), maxBytes, errorOf));
}

/** A stream of what a reader returns. Nothing is read before it is asked for. */
export function streamOf(reader: ChunkReader): ReadableStream<Uint8Array<ArrayBuffer>> {
  async function readOn(): Promise<void> {
    try {
      const { done, value } = await reader.read();
      if (done === true) shared.close();
      else shared.push(value as Uint8Array);
    } catch (error) {
      shared.fail(error);
    }
  }
  const shared = new SharedContent({
    pull: () => void readOn(),
    cancel: (reason) => void reader.cancel(reason).catch(() => {}),
  });
  return shared.open();
}
