import { isBytes, isStream } from "../../http/javascript/any-realm.ts";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { readerOf } from "../../http/message/content-reader.ts";
import { takerOf, type TakeBack } from "../../http/message/lent-content.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { isOfNode } from "./of-node.ts";
import { hasLeft, isHttp2, onClose, onLeaving, type NodeResponse } from "./client-leave.ts";

/** Reads content part by part. */
export interface Reader {
  read(): Promise<Read>;
  cancel(reason?: unknown): unknown;
}

type Read = { readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined };

/** Content whose first part was read, as far as it is there at once. */
export interface Begun {
  readonly reader: Reader;
  /** What takes parts back that were sent, if anything does. */
  readonly takeBack: TakeBack | undefined;
  /** The part that was there; undefined if there was none. */
  readonly first: Read | undefined;
  /** Whether nothing follows. */
  readonly isAll: boolean;
  /** The part that follows. */
  readonly next: Promise<Read>;
}

/**
 * Begins to read content. No head is written before, so that content that fails at its beginning can still be answered
 * by an error. Content that is all there goes out in one piece, as strings do.
 */
export async function beginContent(content: ReadableStream<Uint8Array> | Readable): Promise<Begun> {
  const reader = isStream(content) ? readerOf(content) : openNodeReader(content);
  const begun = { reader, takeBack: takerOf(content) };
  try {
    // A file that does not exist can still be answered by an error.
    if (!isStream(content) && propertyOf(content as { pending?: unknown }, "pending") === true)
      await once(content as Readable, "ready");
    let next = reader.read();
    const first = await atOnce(next);
    if (first === undefined || first.done === true) return { ...begun, first, isAll: first !== undefined, next };
    next = reader.read();
    const isLast = (await atOnce(next))?.done === true;
    // write() refuses anything else. end() takes null for no content, and a function for a callback.
    const isContent = typeof first.value === "string" || isBytes(first.value);
    return { ...begun, first, isAll: isLast && isContent, next };
  } catch (error) {
    letGo(reader);
    throw error;
  }
}

/** Writes content after its head, with backpressure. Returns when all was handed over or the client has left. */
export async function sendContent({ reader, takeBack, first, next }: Begun, response: ServerResponse): Promise<void> {
  const cancel = (): void => letGo(reader, AbortSignal.abort().reason);
  onLeaving(response, cancel);
  const taker = takeBack !== undefined && isOfNode(response) ? takeBack : undefined;
  try {
    const count = isHttp2(response) ? counterOf(response) : null;
    if (first === undefined) {
      response.flushHeaders();
    } else {
      count?.(first.value!);
      await write(first.value!, response, taker);
    }
    for (let read = next; ; read = reader.read()) {
      const { done, value } = await read;
      if (hasLeft(response)) return;
      count?.(done ? "" : value!, done);
      if (done) return void response.end();
      await write(value!, response, taker);
    }
  } catch (error) {
    cancel();
    // Node keeps the head and the parts of one turn together. Closed within that turn, it would send neither: that is
    // right for content that is longer than its head says, as what has the announced length would pass for the whole.
    if ((error as { code?: unknown } | null)?.code !== "ERR_HTTP_CONTENT_LENGTH_MISMATCH")
      await new Promise((resolve) => setImmediate(resolve));
    throw error;
  }
}

/**
 * Requires that content of HTTP/2 is as long as its head says. Node leaves that check to us (RFC 9113 §8.1.1), and some
 * clients close the connection over it. The function counts each part before it is sent. It throws a `TypeError` if
 * there is too much, or too little with the last part. By then the head is sent, so the response is broken off as with
 * HTTP/1, where Node counts.
 */
function counterOf(response: NodeResponse): (part: string | Uint8Array, isLast?: boolean) => void {
  const length = response.getHeader("content-length");
  if (length === undefined) return () => {};
  let left = Number(length);
  return (part, isLast = false) => {
    left -= Buffer.byteLength(part);
    if (isLast ? left === 0 : left >= 0) return;
    throw notAsAnnounced();
  };
}

/** Makes the error for content that is longer or shorter than its head says. */
export function notAsAnnounced(): TypeError {
  return new TypeError("Cannot send the response: its content is not as long as its content-length says");
}

export function cancelUnread(content: ReadableStream<Uint8Array> | Readable): void {
  letGo(isStream(content) ? readerOf(content) : openNodeReader(content));
}

/** Cancels content that nobody will read any more. */
export function letGo(reader: Reader, reason?: unknown): void {
  void Promise.resolve(reader.cancel(reason)).catch(() => {});
}

/** Makes a reader of a stream of Node. Its errors are errors of reading, and nothing else. */
function openNodeReader(stream: Readable): Reader {
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

async function write(part: Uint8Array, response: ServerResponse, takeBack: TakeBack | undefined): Promise<void> {
  // When Node calls back without an error, the system has let go of the part, even if the client has left.
  const sent = takeBack && ((error?: unknown) => void (error || takeBack(part)));
  if (!hasLeft(response) && !response.write(part, sent)) await drained(response);
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
 * Returns the value of a promise, or undefined if it takes longer than the work that is under way already. PERF: clears
 * an immediate that nobody waits for: 2 to 4 us of 35 less for a `Response` of Node (`node bench/requests.js`).
 */
function atOnce<T>(promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const late = setImmediate(resolve, undefined);
    promise.then((value) => {
      clearImmediate(late);
      resolve(value);
    }, reject);
  });
}
