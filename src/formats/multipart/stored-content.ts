import { contentReaderOf, unreadable } from "../../fields/carried-content.ts";
import { tooLong } from "../../fields/whole-content.ts";
import { AnySignal } from "../../http/javascript/any-signal.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { discardAll, type Discards } from "./discards.ts";
import { nextOf, noContent, pulledStream } from "./pulled-stream.ts";
import { nowhere, type Sink } from "./sink.ts";
import { storedFile } from "./stored-file.ts";

/**
 * Reads the content as a stream, which fails as the reader does.
 * @throws {HTTPError} 413 when it is too long by its own `Content-Length`.
 */
export function contentStreamOf(input: object, maxBytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = contentReaderOf(input, maxBytes, tooLong, unreadable, 0) ?? noContent;
  return pulledStream(
    () => nextOf(reader),
    undefined,
    (reason) => void reader.cancel(reason).catch(() => {}),
  );
}

/** How the content of a request is stored. */
export interface Storing {
  /** The media type of the content. */
  readonly type: string;
  readonly maxBytes: number;
  /** Where functions go that remove what was stored; null where nothing is to be stored. */
  readonly discards: Discards | null;
}

/**
 * Stores the content of a request while it comes in.
 * @param isKept whether what came is stored, too, where the content breaks off.
 * @throws {HTTPError} 413 when it is longer than allowed, 400 when it breaks off.
 */
export async function storedContent(
  input: object,
  sink: Sink,
  isKept: boolean,
  { type, maxBytes, discards }: Storing,
): Promise<object> {
  let isPartial = false;
  const ended = (cause: unknown): { readonly done: true } => {
    // What middleware or the server refuses is no content.
    if (cause instanceof HTTPError && cause.status !== Status.RequestTimeout.status) throw cause;
    isPartial = true;
    return { done: true };
  };
  const [failed, mostAtOnce] = isKept ? [ended, 0] : [];
  const reader = contentReaderOf(input, maxBytes, tooLong, failed, mostAtOnce) ?? noContent;
  const leaving = new AnySignal();
  if (!isKept) leaving.follow(propertyOf(input as { readonly signal?: AbortSignal | null }, "signal"));
  const all = discards ?? [];
  try {
    const file = { name: "content", fileName: "", type };
    const incoming = { known: { type }, next: () => nextOf(reader), signal: leaving.signal, discards: all };
    const stored = await storedFile(discards === null ? nowhere : sink, file, incoming);
    return isKept ? { ...stored, isPartial } : stored;
  } catch (error) {
    leaving.abort();
    void reader.cancel(error).catch(() => {});
    await discardAll(all);
    throw error;
  } finally {
    leaving.release();
  }
}
