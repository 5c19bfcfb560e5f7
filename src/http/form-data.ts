import { ownOf } from "./given.ts";

/** Whether a content type is the one that Node gives a response made of a `FormData`. */
export function isOfFormData(contentType: string): boolean {
  return contentType.startsWith("multipart/form-data; boundary=----formdata-undici-");
}

/**
 * Lets go of content with such a type, given with the reader that has locked it, and with what cancels that.
 *
 * From Node 24 on, the stream of a `FormData` is filled whether it is read or not (undici's `extractBody()`). Where it was canceled
 * meanwhile, that rejects, nobody can catch it, and the process ends. So it is read to its end first, as is what was piped from it.
 *
 * The type proves nothing: a handler may give it to content of its own, as a client chose it for an upload, and that may have no end
 * or never go on. So there are five seconds for all; only a form with gigabytes of files takes longer. What is not over by then is
 * marked as failed, which has undici stop to fill it, and canceled. The mark does not reach a form that was piped elsewhere: one
 * that takes longer may still end the process, as none whose type clients choose may be read for ever.
 */
export async function endForm(
  content: ReadableStream,
  reader: ReadableStreamDefaultReader,
  abandon: () => Promise<void>,
): Promise<void> {
  const late = setTimeout(() => {
    // What isErrored() of node:stream reads, by which undici asks before each part.
    Reflect.defineProperty(content, Symbol.for("nodejs.stream.errored"), ownOf({ value: true }));
    void abandon().catch(() => {});
  }, longestMs);
  try {
    for (let parts = 1; !(await reader.read()).done; parts++) {
      // Content that is there without waiting would let nothing else have its turn.
      if (parts % partsPerTurn === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    clearTimeout(late);
  }
}

const longestMs = 5_000;
const partsPerTurn = 16;
