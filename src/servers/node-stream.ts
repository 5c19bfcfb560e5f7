import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { hasLeft, onClose, onLeaving } from "./node-message.ts";

/** What content is read by: a part at a time. */
interface Reader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): unknown;
}

/** Makes a reader of a stream of Node, whose errors are those of reading, and of nothing else. */
export function readerOf(stream: Readable): Reader {
  stream.on("error", () => {});
  const parts = stream[Symbol.asyncIterator]();
  let isCanceled = false;
  return {
    async read() {
      try {
        return await parts.next();
      } catch (error) {
        if (isCanceled) return { done: true };
        throw error;
      }
    },
    cancel() {
      isCanceled = true;
      stream.destroy();
    },
  };
}

/**
 * Writes content to a response, with backpressure, until all of it was handed over or the client has left.
 *
 * @param head writes the head: not before there is content, or its beginning has not come at once, so that content that
 * fails at its beginning can still be answered by an error.
 */
export async function sendContent(reader: Reader, head: () => void, response: ServerResponse): Promise<void> {
  const cancel = (): void => void Promise.resolve(reader.cancel(AbortSignal.abort().reason)).catch(() => {});
  onLeaving(response, cancel);
  try {
    let read = reader.read();
    const first = await atOnce(read);
    if (hasLeft(response)) return;
    head();
    if (first === undefined) {
      response.flushHeaders();
    } else if (!first.done) {
      read = reader.read();
      // PERF: content that is there at once goes out in one piece, and Node counts its length.
      if ((await atOnce(read))?.done === true) return void response.end(first.value);
      await write(first.value!, response);
    }
    for (;;) {
      const { done, value } = await read;
      if (hasLeft(response)) return;
      if (done) return void response.end();
      await write(value!, response);
      read = reader.read();
    }
  } catch (error) {
    // A head that cannot be written leaves content that nobody reads.
    cancel();
    throw error;
  }
}

async function write(chunk: Uint8Array, response: ServerResponse): Promise<void> {
  if (!hasLeft(response) && !response.write(chunk)) await drained(response);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const resume = (): void => {
      forget();
      response.off("drain", resume);
      resolve();
    };
    const forget = onClose(response, resume);
    response.on("drain", resume);
  });
}

/**
 * What a promise fulfills with, or undefined if it takes longer than what is under way already.
 *
 * PERF: an immediate that nobody waits for any more is cleared: 2 to 4 us less for a `Response` of Node (`bench/http`, fingerpost
 * native).
 */
function atOnce<T>(promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const late = setImmediate(resolve, undefined);
    const settle =
      <V>(conclude: (value: V) => void) =>
      (value: V): void => {
        clearImmediate(late);
        conclude(value);
      };
    promise.then(settle(resolve), settle(reject));
  });
}
