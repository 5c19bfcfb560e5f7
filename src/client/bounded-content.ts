/**
 * Reads content that has at most so many bytes, and at most a million parts: each weighs more than it has.
 * @param type the media type of what it returns.
 * @param refuse throws the error.
 */
export async function bounded(
  body: ReadableStream,
  type: string,
  maxBytes: number,
  refuse: (cause: unknown) => never,
): Promise<Blob> {
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = maxBytes;
  for (let read; !(read = await reader.read()).done;) {
    if ((left -= read.value.length) < 0 || chunks.push(read.value) > 1e6) {
      reader.cancel().catch(() => {});
      refuse(new RangeError(`Cannot read the answer: it has more than ${maxBytes} bytes, the maxBytes of client()`));
    }
  }
  return new Blob(chunks, { type });
}
