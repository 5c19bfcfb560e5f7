import type { Bytes } from "../http/javascript/bytes.ts";
import { isBytes } from "../http/javascript/any-realm.ts";
import { described } from "../http/javascript/described.ts";
import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { JoinedBytes } from "../http/javascript/joined-bytes.ts";
import { requestField } from "./request-fields.ts";
import { Status } from "../http/protocol/status.ts";

/** Returns content in chunks: the reader of a stream, or a substitute. */
export interface ChunkReader {
  read(): Promise<ReadChunk>;
  /** Returns the next chunk if it is there at once; undefined if not. */
  take?(): unknown;
  cancel(reason?: unknown): Promise<unknown>;
}

interface ReadChunk {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** Reads content to its end. @param maxBytes the most that its reader returns. */
export async function readWhole(reader: ChunkReader, maxBytes: number): Promise<Bytes> {
  const whole = new JoinedBytes(maxBytes);
  for (;;) {
    const { done, value } = await reader.read();
    if (done === true) return whole.bytes;
    whole.add(value as Uint8Array);
  }
}

/**
 * The same content, which fails where it is longer. All content of requests is counted here.
 * @param errorOf makes the error when the content turns out to be longer.
 * @param failed is called where the content breaks off: it throws, or ends the content there.
 */
export function bounded(
  reader: ChunkReader,
  maxBytes: number,
  errorOf: (maxBytes: number) => HTTPError,
  failed?: (cause: unknown) => ReadChunk,
): ChunkReader {
  let length = 0;
  // At the end, too: somebody may catch the error, and read on.
  function counted(result: ReadChunk): ReadChunk {
    if (result.done !== true) length += bytesIn(result.value, reader);
    if (length <= maxBytes) return result;
    const error = errorOf(maxBytes);
    void reader.cancel(error).catch(() => {});
    throw error;
  }
  return {
    read: () => reader.read().then(counted, failed),
    take() {
      const value = reader.take?.();
      return value && counted({ value }).value;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** The length that the client claims (RFC 9110 §8.6); 0 if it claims none. */
export function claimedLengthOf(input: object): number {
  const value = requestField(input, "content-length") ?? "";
  return /^\d+$/.test(value) ? Number(value) : 0;
}

/** RFC 9110 §15.5.14. */
export function tooLong(maxBytes: number): HTTPError {
  return refusal(Status.ContentTooLarge, `The content is longer than ${maxBytes} bytes`);
}

/** A stream that a host made may hold anything; what has no length must not pass for nothing. */
export function bytesIn(chunk: unknown, reader: ChunkReader): number {
  if (isBytes(chunk)) return chunk.byteLength;
  const error = new TypeError(`Cannot read the content: expected it to be bytes, got ${described(chunk)}`);
  void reader.cancel(error).catch(() => {});
  throw error;
}
