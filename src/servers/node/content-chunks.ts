import { isBytes } from "../../http/javascript/any-realm.ts";
import type { LightChunks } from "../../http/message/light-request.ts";
import type { NodeRequest, NodeResponse } from "./client-leave.ts";
import { feed, textForBytes, type Sink } from "./content.ts";

/** How much of a message is held for a reader that takes chunks. As much again may be in the message. */
const mostWaiting = 65_536;
/** How many chunks of it: a client may send one byte in each. */
const mostChunks = 256;

/** By message of which chunks are read: whether somebody waits for the next one. */
const waits = new WeakMap<NodeRequest, () => boolean>();

/** Returns whether the content of a message was begun to be read by chunks, and nobody waits for the rest now. */
export function isLeftUnread(message: NodeRequest): boolean {
  return waits.get(message)?.() === false;
}

/**
 * Reads the content of a message chunk by chunk. Nothing is read before it is asked for. Besides the chunk that is
 * taken, no more than fits a buffer of a socket is read before the next one is asked for.
 * PERF: a stream takes 0.9 ms of 2.1 for a form of ten files of 100 kB (`node bench/uploads/main.js`).
 */
export function chunksOf(message: NodeRequest, response: NodeResponse): LightChunks {
  const waiting: Uint8Array[] = [];
  /** Where the next one is: an array moves all others when it loses its first. */
  let first = 0;
  let length = 0;
  let end: (() => Promise<{ readonly done: true }>) | null = null;
  let stop: (() => void) | null = null;
  let wake: (() => void) | null = null;
  const wakeUp = (): void => {
    wake?.();
    wake = null;
  };
  const content: Sink = {
    push(chunk) {
      if (!isBytes(chunk)) return content.fail(textForBytes());
      length += chunk.byteLength;
      // What a handler does with the buffer of a chunk must reach no other content: over HTTP/2, and with a pool, it is
      // that of others as well.
      const { buffer, byteLength } = chunk;
      waiting.push(buffer.byteLength === byteLength ? new Uint8Array(buffer) : new Uint8Array(chunk));
      // PERF: a pause for a chunk that somebody waits for takes 0.1 s for 1 GiB (`node bench/streams/main.js`).
      if (wake === null && (length >= mostWaiting || waiting.length - first >= mostChunks)) message.pause();
      wakeUp();
    },
    close() {
      end = async () => ({ done: true });
      wakeUp();
    },
    fail(error) {
      end = () => Promise.reject(error as Error);
      wakeUp();
    },
  };
  const take = (): Uint8Array | undefined => {
    const chunk = waiting[first];
    if (chunk === undefined) return undefined;
    length -= chunk.byteLength;
    first++;
    if (first === waiting.length) first = waiting.length = 0;
    return chunk;
  };
  return {
    take,
    async read() {
      if (end === null && stop === null) {
        stop = feed(message, response, content);
        waits.set(message, () => wake !== null);
      }
      for (;;) {
        const value = take();
        if (value !== undefined) return { value };
        if (end !== null) return end();
        message.resume();
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async cancel() {
      first = waiting.length = 0;
      content.close();
      stop?.();
    },
  };
}
