import { readerOf } from "../../http/message/content-reader.ts";
import { checkedChunk, resumedContent } from "../../http/message/resumed-content.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";

/**
 * Reads content that is there at once, as the content of a string or of bytes is. Returns all of it, or a stream of it
 * if it is longer than a bound or takes its time. So a stream that never ends is neither held back nor kept. At most
 * the bound and a chunk are read ahead: nothing, if the bound is negative. A chunk that is not bytes fails the stream,
 * which would otherwise wait forever.
 */
export async function readAhead(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const reader = readerOf(body);
  const early = new JoinedBytes(maxBytes);
  if (maxBytes < 0) return resumedContent(early.bytes, null, reader);
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
      const isOver = result === null || early.length + checkedChunk(result.value, reader).byteLength > maxBytes;
      if (isOver) return resumedContent(early.bytes, read, reader);
      early.add(result.value);
    }
  } finally {
    clearTimeout(timer);
  }
}
