import { described } from "../../http/javascript/described.ts";
import type { Discards } from "./discards.ts";
import { pulledStream, type NextChunk } from "./pulled-stream.ts";
import type { IncomingFile, Sink, StoredFile } from "./sink.ts";
import { newDigest } from "./upload-digest.ts";

/** How a file comes in. */
interface Incoming<Known> {
  /** What is known of the file. */
  readonly known: Known;
  /** Returns the next chunk. */
  readonly next: () => NextChunk;
  /** Is called as by `pulledStream()`. */
  readonly see?: (bytes: Uint8Array | null) => void;
  readonly signal: AbortSignal;
  /** Where the function goes that removes the file. */
  readonly discards: Discards;
}

/**
 * Stores a file while it comes in. Returns what the sink returned, and what is known of the file.
 */
export async function storedFile<Stored extends object, Known extends object>(
  sink: Sink<Stored>,
  file: Omit<IncomingFile, "content">,
  { known, next, see, signal, discards }: Incoming<Known>,
): Promise<Pick<StoredFile, "size" | "sha256"> & Known & Stored> {
  const digest = newDigest();
  let size = 0;
  const content = pulledStream(next, (bytes) => {
    see?.(bytes);
    if (bytes === null) return undefined;
    size += bytes.length;
    return digest.add(bytes);
  });
  const stored = await sink.store({ ...file, content }, signal);
  discards.push(() => sink.discard(stored));
  if ((await next()) !== null) {
    throw new TypeError(`Cannot store the file ${described(file.name)}: its sink has not read all of it`);
  }
  return { ...stored, ...known, size, sha256: await digest.end() };
}
