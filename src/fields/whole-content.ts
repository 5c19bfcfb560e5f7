import type { Bytes } from "../http/javascript/bytes.ts";
import { isBytes } from "../http/javascript/any-realm.ts";
import { described } from "../http/javascript/described.ts";
import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { JoinedBytes } from "../http/javascript/joined-bytes.ts";
import { requestField } from "./request-fields.ts";
import { Status } from "../http/protocol/status.ts";

/** Returns content in chunks: the reader of a stream, or a substitute. */
export interface ChunkReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Returns the next chunk if it is there at once; undefined if not. */
  take?(): unknown;
  cancel(reason?: unknown): Promise<unknown>;
}

/** Reads content to its end. @throws {HTTPError} 413 where it is longer. */
export async function readWhole(
  reader: ChunkReader,
  maxBytes: number,
  errorOf: (maxBytes: number) => HTTPError = tooLarge,
): Promise<Bytes> {
  const whole = new JoinedBytes(maxBytes);
  for (;;) {
    const { done, value } = await reader.read();
    if (done === true) return whole.bytes;
    if (whole.length + bytesIn(value, reader) > maxBytes) {
      void reader.cancel().catch(() => {});
      throw errorOf(maxBytes);
    }
    whole.add(value as Uint8Array);
  }
}

/** The length that the client claims (RFC 9110 §8.6); 0 if it claims none. */
export function claimedLengthOf(input: object): number {
  const value = requestField(input, "content-length") ?? "";
  return /^\d+$/.test(value) ? Number(value) : 0;
}

/** RFC 9110 §15.5.14. */
export function tooLarge(): HTTPError {
  return refusal(Status.ContentTooLarge);
}

/** A stream that a host made may hold anything; what has no length must not pass for nothing. */
export function bytesIn(chunk: unknown, reader: ChunkReader): number {
  if (isBytes(chunk)) return chunk.byteLength;
  const error = new TypeError(`Cannot read the content: expected it to be bytes, got ${described(chunk)}`);
  void reader.cancel(error).catch(() => {});
  throw error;
}
