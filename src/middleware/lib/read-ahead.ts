import { isBytes } from "../../http/javascript/any-realm.ts";
import { described } from "../../http/javascript/described.ts";
import { readerOf, type ContentReader } from "../../http/message/content-reader.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";

/**
 * Reads content that is there at once, as the content of a string or of bytes is. Returns all of it, or a stream of it
 * if it is longer than a bound or takes its time.
 *
 * So a stream that never ends is neither held back nor kept. At most the bound and a chunk are read ahead: nothing, if
 * the bound is negative. A chunk that is not bytes fails the stream, which would otherwise wait forever.
 */
export async function readAhead(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const reader = readerOf(body);
  const early = new JoinedBytes(maxBytes);
  if (maxBytes < 0) return resumed(early, null, reader);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A result that needs only microtasks comes before any timer.
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, 0, null);
  });
  try {
    for (;;) {
      const read = reader.read();
      const result = await Promise.race([read, late]);
      if (result?.done === true) return early.bytes;
      const isOver = result === null || early.length + checked(result.value, reader).byteLength > maxBytes;
      if (isOver) return resumed(early, read, reader);
      early.add(result.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Makes a stream of the joined parts, of the part that was read last or is being read, and of the rest. */
function resumed(
  { bytes }: JoinedBytes,
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
        else controller.enqueue(checked(value, reader));
      },
      cancel: (reason: unknown) => reader.cancel(reason),
    }),
    ownOf({ highWaterMark: 0 }),
  );
}

function checked(chunk: unknown, reader: ContentReader): Uint8Array {
  if (isBytes(chunk)) return chunk;
  const error = new TypeError(
    `Cannot read the content of the response: expected chunks of bytes, got ${described(chunk)}`,
  );
  void reader.cancel(error).catch(() => {});
  throw error;
}
