import { isBytes } from "../http/javascript/any-realm.ts";
import { capturedContext } from "../http/javascript/captured-context.ts";
import type { ByteRange } from "../fields/range.ts";
import { described } from "../http/javascript/described.ts";
import { lend, takerOf } from "../http/message/lent-content.ts";
import { ownOf } from "../http/javascript/property.ts";
import type { Content, FoundFile } from "./file-source.ts";

/** What content is made of: bytes of the file, and bytes of ours between them. */
export type Piece = ByteRange | Uint8Array;

/**
 * Makes the function that closes a file: once, however often it is called. What becomes of that is nobody's business.
 */
export function closerOf(stored: FoundFile): () => void {
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      Promise.resolve(stored.close()).catch(() => {});
    } catch {
      // The response is there, or its error is: neither must be lost to a file that cannot be closed.
    }
  };
}

/**
 * Makes a stream of pieces, which reads when it is read, and closes the file on every way out.
 * @param opened what `stored.read()` gave for the first piece, if it was asked already.
 */
export function streamOf(
  stored: FoundFile,
  pieces: readonly Piece[],
  close: () => void,
  opened?: Content,
): ReadableStream<Uint8Array> {
  const rest = pieces[Symbol.iterator]();
  let reader = opened === undefined ? null : readerOf(opened, pieces[0] as ByteRange);
  if (reader !== null) rest.next();
  let isCanceled = false;
  const within = capturedContext();

  async function next(): Promise<Uint8Array | null> {
    for (;;) {
      const part = reader === null ? null : await reader.next();
      if (part !== null || isCanceled) return part;
      reader = null;
      const { done, value } = rest.next();
      if (done === true) return null;
      if (isBytes(value)) return value;
      reader = readerOf(stored.read(value.start, value.end), value);
    }
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const part = await next();
      if (isCanceled) return;
      if (part !== null) return controller.enqueue(part);
      close();
      controller.close();
    } catch (error) {
      if (isCanceled) return;
      // The file is broken off: what it has become must not pass for the rest of it.
      reader?.cancel(error);
      close();
      throw error;
    }
  }

  const stream = new ReadableStream<Uint8Array>(
    ownOf({
      pull: (controller: ReadableStreamDefaultController<Uint8Array>) => within(() => pull(controller)),
      cancel(reason: unknown) {
        isCanceled = true;
        within(() => {
          reader?.cancel(reason);
          close();
        });
      },
    }),
    // Nothing is read before the client asks for it.
    ownOf({ highWaterMark: 0 }),
  );
  return opened === undefined ? stream : lend(stream, takerOf(opened));
}

/** Reads all bytes of a range. @throws whatever reading does, or {Error} when they are not as many. */
export async function allOf(content: Content, range: ByteRange): Promise<Uint8Array> {
  const length = range.end - range.start;
  const reader = readerOf(content, range);
  let bytes: Uint8Array | undefined;
  try {
    let at = 0;
    for (let part; (part = await reader.next()) !== null; at += part.byteLength) {
      // What comes in one piece is not copied.
      if (part.byteLength === length) bytes = part;
      else (bytes ??= new Uint8Array(length)).set(part, at);
    }
    return bytes!;
  } catch (error) {
    reader.cancel(error);
    throw error;
  }
}

/** Requires bytes that are all there to be as many as were asked for. @throws {Error} when they are not. */
export function checkLength(bytes: Uint8Array, { start, end }: ByteRange): void {
  if (bytes.byteLength !== end - start) throw changed();
}

export function changed(): Error {
  return new Error("Cannot send the file: it changed while it was sent");
}

/** Reads bytes of the file, and refuses to give more or fewer than were asked for. */
interface PartReader {
  /** @throws {Error} when there are more bytes, or fewer. */
  next(): Promise<Uint8Array | null>;
  cancel(reason: unknown): void;
}

function readerOf(content: Content, { start, end }: ByteRange): PartReader {
  const parts = partsOf(content);
  let left = end - start;
  return {
    async next() {
      for (;;) {
        const { done, value } = await parts.next();
        if (done === true && left === 0) return null;
        if (done === true) throw changed();
        if (!isBytes(value))
          throw new TypeError(`Cannot send the file: expected parts of bytes, got ${described(value)}`);
        if (value.byteLength > left) throw changed();
        left -= value.byteLength;
        if (value.byteLength > 0) return value;
      }
    },
    // Not waited for: a part that never comes must not keep the file open.
    cancel: (reason) => void parts.cancel(reason).catch(() => {}),
  };
}

interface Parts {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(reason: unknown): Promise<unknown>;
}

function partsOf(content: Content): Parts {
  if ("getReader" in content) {
    const reader = content.getReader();
    return { next: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
  const parts = isBytes(content) ? partsOfBytes(content) : content[Symbol.asyncIterator]();
  return { next: () => parts.next(), cancel: async () => parts.return?.() };
}

/** How long parts of bytes are that are in memory. */
const partBytes = 65_536;

async function* partsOfBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < bytes.byteLength; at += partBytes) yield bytes.subarray(at, at + partBytes);
}
