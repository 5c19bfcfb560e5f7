import { isBytes } from "../javascript/any-realm.ts";
import { described } from "../javascript/described.ts";
import { ownOf } from "../javascript/property.ts";
import type { ContentReader } from "./content-reader.ts";

/** Makes a stream of bytes that were read, of the chunk that was read last or is being read, and of the rest. */
export function resumedContent(
  bytes: Uint8Array,
  last: Promise<ReadableStreamReadResult<Uint8Array>> | null,
  reader: ContentReader,
): ReadableStream<Uint8Array> {
  let next = last;
  return new ReadableStream<Uint8Array>(
    ownOf({
      start(controller: ReadableStreamDefaultController<Uint8Array>) {
        if (bytes.byteLength > 0) controller.enqueue(bytes);
      },
      async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
        const { done, value } = await (next ?? reader.read());
        next = null;
        if (done) controller.close();
        else controller.enqueue(checkedChunk(value, reader));
      },
      cancel: (reason: unknown) => reader.cancel(reason),
    }),
    ownOf({ highWaterMark: 0 }),
  );
}

/** Returns a chunk of a response. @throws {TypeError} when it is not bytes; then the reader is canceled. */
export function checkedChunk(chunk: unknown, reader: ContentReader): Uint8Array {
  if (isBytes(chunk)) return chunk;
  const error = new TypeError(
    `Cannot read the content of the response: expected chunks of bytes, got ${described(chunk)}`,
  );
  void reader.cancel(error).catch(() => {});
  throw error;
}
