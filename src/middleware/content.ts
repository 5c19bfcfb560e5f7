import { described } from "../http/described.ts";

/**
 * Reads content that is there at once, as that of a text or of bytes is: gives all of it, or, if it is longer than a bound or
 * takes its time, a stream of the same.
 *
 * So a stream that never ends is neither held back nor kept. What is read ahead of it is no more than the bound and a chunk:
 * nothing, if the bound is negative. Chunks that are no bytes fail it, where others would wait for ever.
 */
export async function contentOf(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // What needs nothing but microtasks comes before any timer.
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, 0, null);
  });
  try {
    while (length <= maxBytes) {
      const read = reader.read();
      const result = await Promise.race([read, late]);
      if (result === null) return resumed(chunks, reader, read);
      if (result.done) return joined(chunks, length);
      chunks.push(checked(result.value, reader));
      length += result.value.byteLength;
    }
    return resumed(chunks, reader, null);
  } finally {
    clearTimeout(timer);
  }
}

/** A stream of what was read, of what is being read, and of the rest. */
function resumed(
  chunks: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
  pending: Promise<ReadableStreamReadResult<Uint8Array>> | null,
): ReadableStream<Uint8Array> {
  let next = pending;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) return controller.enqueue(chunk);
        const { done, value } = await (next ?? reader.read());
        next = null;
        if (done) controller.close();
        else controller.enqueue(checked(value, reader));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function checked(chunk: unknown, reader: ReadableStreamDefaultReader): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  const error = new TypeError(
    `Cannot read the content of the response: expected chunks of bytes, got ${described(chunk)}`,
  );
  void reader.cancel(error).catch(() => {});
  throw error;
}
