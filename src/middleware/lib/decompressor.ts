import type { ChunkReader } from "../../fields/whole-content.ts";
import { builtinModule } from "../../http/javascript/builtin-module.ts";
import { ownOf, propertyOf } from "../../http/javascript/property.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { coderOf, pieceBytes, type Format, type Zlib } from "./compressor.ts";

/** Decodes one content coding, no faster than its output is read. */
interface Decoder {
  /** The most bytes to write at once: what they become is held until it is read. */
  readonly pieceBytes: number;
  /** Waits until the piece is decoded. Rejects when it goes on after the end of the coding. */
  write(piece: Uint8Array): Promise<void>;
  /** Says that nothing follows. Where something lacks, this or reading rejects. */
  end(): void | Promise<void>;
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  /** Stops the decoder at once, and frees its memory. */
  abort(): void;
}

/** A content coding that the runtime decodes. */
export interface Decoding {
  readonly format: Format;
  create(): Decoder;
}

/** How `node:zlib` creates a decoder. */
const recipes: Readonly<Record<Format, readonly [create: string, options: object]>> = {
  // 100 is ZSTD_d_windowLogMax: RFC 9659 §3 allows 8 MB, and the library takes 128 MB.
  zstd: ["createZstdDecompress", { params: ownOf({ 100: 23 }) }],
  br: ["createBrotliDecompress", {}],
  gzip: ["createGunzip", {}],
  deflate: ["createInflate", {}],
};

/** Gzip and deflate make a megabyte of such a piece at most, and `DecompressionStream` holds all of that. */
const shortPieceBytes = 1024;
/** Content that is shorter may expand as it likes. */
const shortBytes = 65_536;
/** How much longer content may be in its coding: empty blocks and comments are read, and nothing comes out. */
const idleBytes = 262_144;

/** Returns how a format is decoded, or null if the runtime cannot. */
export function decodingOf(format: Format): Decoding | null {
  const create = coderOf<() => Decoder>(
    format,
    (zlib) => () => ofZlib(zlib, format),
    (known) => () => ofStream(known),
  );
  return create === null || (format === "zstd" && takesCut()) ? null : { format, create };
}

/** Returns whether a frame that is cut passes for a whole one, as on Bun 1.4 and Deno 2.9. */
function takesCut(): boolean {
  const { zstdDecompressSync } = builtinModule("node:zlib") as { zstdDecompressSync(bytes: Uint8Array): unknown };
  try {
    zstdDecompressSync(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20));
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes content as far as it is read. However that ends, source and decoders are canceled.
 *
 * @param decodings the codings in the order in which they were applied.
 * @param maxRatio how many times as long as what came the content may be, of all codings together.
 * @throws {HTTPError} 400 for content that is not one whole of its coding, 413 for content that expands more.
 */
export function decoded(source: ChunkReader, decodings: readonly Decoding[], maxRatio: number): ChunkReader {
  const came = { bytes: 0, maxRatio };
  const decodedBy = (reader: ChunkReader, decoding: Decoding): ChunkReader =>
    stageOf(reader, decoding, came, reader === source);
  return decodings.reduceRight(decodedBy, source);
}

/** @param isFirst whether the source is what came. */
function stageOf(
  source: ChunkReader,
  { format, create }: Decoding,
  came: { bytes: number; readonly maxRatio: number },
  isFirst: boolean,
): ChunkReader {
  let decoder: Decoder | null = null;
  let feeding: Promise<void>;
  let length = 0;
  // The reason why reading fails, if it is not the decoder's.
  let failure: unknown = null;

  async function feed(to: Decoder): Promise<void> {
    let written = 0;
    for (;;) {
      const { done, value } = await source.read().catch(failed);
      if (done === true) break;
      const bytes = value as Uint8Array;
      if (isFirst) came.bytes += bytes.length;
      for (let at = 0; at < bytes.length; at += to.pieceBytes) {
        const piece = bytes.subarray(at, at + to.pieceBytes);
        await to.write(piece);
        written += piece.length;
        if (written > length + idleBytes) failed(undecodable(format));
      }
    }
    // The decoders of most runtimes end without an error.
    if (written === 0) failed(undecodable(format));
    await to.end();
  }

  function failed(reason: unknown): never {
    failure = reason;
    throw reason;
  }

  async function stop(reason: unknown): Promise<void> {
    decoder?.abort();
    await source.cancel(reason);
  }

  return {
    async read() {
      try {
        if (decoder === null) {
          // Not before: content that is never read needs none.
          const to = (decoder = create());
          feeding = feed(to);
          feeding.catch(() => to.abort());
        }
        const { done, value } = await decoder.read();
        if (done === true) await feeding;
        else if ((length += value!.byteLength) > Math.max(shortBytes, came.maxRatio * came.bytes))
          failed(refusal(Status.ContentTooLarge, `The content expands more than ${came.maxRatio} times`));
        return { done, value };
      } catch {
        const reason = failure ?? undecodable(format);
        void stop(reason).catch(() => {});
        throw reason;
      }
    },
    cancel: stop,
  };
}

/** Content that is cut, that goes on after its end, or that is something else. */
function undecodable(format: Format): HTTPError {
  return refusal(Status.BadRequest, `The content is not one complete stream of ${format}`);
}

function ofZlib(zlib: Zlib, format: Format): Decoder {
  const [create, options] = recipes[format];
  const stream = propertyOf(zlib, create)!(ownOf(options));
  const output = stream[Symbol.asyncIterator]();
  let written = 0;
  // A stream that fails does not call back who writes.
  let fail: (error: unknown) => void = ignore;
  stream.on("error", (error) => fail(error));
  const isTaken = (piece: Uint8Array): Promise<boolean> =>
    new Promise((resolve, reject) => {
      fail = reject;
      written += piece.byteLength;
      stream.write(piece, () => resolve(stream.bytesWritten === written));
    });
  return {
    pieceBytes,
    async write(piece) {
      // What goes on after its end is not decoded, and no error.
      if (!(await isTaken(piece))) throw undecodable(format);
    },
    async end() {
      // Deno 2.9 ends without an error where br is cut. After its end, no byte is taken.
      if (format === "br" && (await isTaken(new Uint8Array(1)))) throw undecodable(format);
      stream.end();
    },
    read: () => output.next(),
    abort: () => void stream.destroy(),
  };
}

function ofStream(format: CompressionFormat): Decoder {
  const { readable, writable } = new DecompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>;
  const writer = writable.getWriter();
  const reader = readable.getReader();
  let isAsked = false;
  let resume = ignore;
  return {
    pieceBytes: shortPieceBytes,
    async write(piece) {
      // Some runtimes would take all of it at once, and hold what it becomes.
      if (!isAsked) await new Promise<void>((resolve) => (resume = resolve));
      await writer.write(piece);
    },
    // Who reads learns of an error.
    end: () => void writer.close().catch(ignore),
    async read() {
      isAsked = true;
      resume();
      const result = await reader.read();
      isAsked = false;
      return result;
    },
    abort: () => void writer.abort().catch(ignore),
  };
}

function ignore(): void {}
