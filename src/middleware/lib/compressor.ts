import { builtinModule } from "../../http/javascript/builtin-module.ts";
import { readerOf } from "../../http/message/content-reader.ts";
import { propertyOf, ownOf } from "../../http/javascript/property.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";

/** Compresses bytes, and passes the output to its owner. */
interface Compressor {
  write(bytes: Uint8Array): Promise<void>;
  /** Outputs everything that waits in the compressor, if the runtime can do so. */
  flush(): Promise<void>;
  end(): Promise<void>;
  /** Stops the compressor at once, and frees its memory. */
  abort(): void;
}

/** @param take receives the output, and keeps none of it. */
export type CreateCompressor = (take: (bytes: Uint8Array) => void) => Compressor;

/** Creates what codes or decodes. */
type CreateCoder = (take: (bytes: Uint8Array) => void) => Pick<Compressor, "abort">;

/** The members of the streams of `node:zlib` that are used. */
interface ZlibStream extends AsyncIterable<Uint8Array> {
  /** How much of what was written is coded. */
  readonly bytesWritten: number;
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  write(bytes: Uint8Array, done: Done): unknown;
  flush(kind: number, done: Done): unknown;
  end(): unknown;
  destroy(): unknown;
}

type Done = (error?: unknown) => void;
export type Zlib = Readonly<Record<string, (options: object) => ZlibStream>>;

/** The content codings that there are compressors for, the preferred one first. */
export const contentCodings = ["zstd", "br", "gzip", "deflate"] as const;

export type Format = (typeof contentCodings)[number];

/** How `node:zlib` creates a compressor for a format, and how that is flushed. */
interface Recipe {
  readonly create: string;
  /** The function that compresses whole content. */
  readonly whole: string;
  readonly options: object;
  readonly flushKind: number;
}

const formats: Readonly<Record<Format, Recipe>> = {
  // 1 is ZSTD_e_flush.
  zstd: { create: "createZstdCompress", whole: "zstdCompressSync", options: {}, flushKind: 1 },
  // Quality 4: quality 11, the default, takes a hundred times as long. A window of 2 ** 19 bytes: with 2 ** 22, up to 8
  // MB of the source would wait for the first byte of output. 1 is BROTLI_OPERATION_FLUSH.
  br: {
    create: "createBrotliCompress",
    whole: "brotliCompressSync",
    options: { params: ownOf({ 1: 4, 2: 19 }) },
    flushKind: 1,
  },
  // 2 is Z_SYNC_FLUSH.
  gzip: { create: "createGzip", whole: "gzipSync", options: { level: 6 }, flushKind: 2 },
  deflate: { create: "createDeflate", whole: "deflateSync", options: { level: 6 }, flushKind: 2 },
};

/** Longer chunks are coded in pieces of this size, so that no more is held than is read. */
export const pieceBytes = 65_536;

/**
 * Returns the compressor of a format, or null if the runtime has none. `CompressionStream` takes no quality, and its
 * brotli is the slowest.
 */
export function compressorOf(format: Format): CreateCompressor | null {
  return coderOf<CreateCompressor>(
    format,
    (zlib) => (take) => ofZlib(zlib, format, take),
    (known) => (take) => ofStream(known, take),
  );
}

/** Longer content is compressed in another thread. This much takes 0.2 ms, in which no other request is answered. */
export const mostAtOnce = 16_384;

/**
 * Compresses short content at once, by `node:zlib`. Returns null where the runtime has none.
 * PERF: a stream takes 260 us more for 10 kB (`node bench/features/main.js --rows=gzip`).
 */
export function compressedAtOnce(bytes: Uint8Array, format: Format): Uint8Array | null {
  const { whole, options } = formats[format];
  const zlib = (builtinModule("node:zlib") ?? null) as Record<
    string,
    (bytes: Uint8Array, options: object) => Uint8Array
  > | null;
  return zlib && propertyOf(zlib, whole)!(bytes, ownOf(options));
}

/**
 * Returns what codes a format, or null if the runtime has nothing. On Node, Bun and Deno it is of `node:zlib`, which is
 * not imported because others lack it. There streams of the platform have gzip and deflate only. A runtime may have a
 * name, and nothing that works.
 */
export function coderOf<Create extends CreateCoder>(
  format: Format,
  byZlib: (zlib: Zlib) => Create,
  byStream: (format: CompressionFormat) => Create,
): Create | null {
  const zlib = (builtinModule("node:zlib") ?? null) as Zlib | null;
  if (zlib === null && format !== "gzip" && format !== "deflate") return null;
  const create = zlib === null ? byStream(format as CompressionFormat) : byZlib(zlib);
  try {
    create(ignore).abort();
    return create;
  } catch {
    return null;
  }
}

/**
 * Compresses a stream as far as it is read: content that nobody reads is not taken from the source. Flushes the
 * compressor when the source pauses. However the stream ends, source and compressor are canceled.
 */
export function compressed(source: ReadableStream<Uint8Array>, create: CreateCompressor): ReadableStream<Uint8Array> {
  const reader = readerOf(source);
  let compressor: Compressor | null = null;
  let output = new JoinedBytes(Infinity);
  let rest = new Uint8Array();
  let next: Promise<ReadableStreamReadResult<Uint8Array>> | null = null;
  let isWaiting = false;

  /** Returns whether the source has ended, and all of it is compressed. */
  async function advance(to: Compressor): Promise<boolean> {
    if (rest.byteLength > 0) {
      const piece = rest.subarray(0, pieceBytes);
      rest = rest.subarray(pieceBytes);
      isWaiting = true;
      await to.write(piece);
      return false;
    }
    next ??= reader.read();
    const result = isWaiting ? await unlessLate(next) : await next;
    if (result === null) {
      isWaiting = false;
      await to.flush();
      return false;
    }
    next = null;
    if (result.done) await to.end();
    else rest = result.value as Uint8Array<ArrayBuffer>;
    return result.done;
  }

  return new ReadableStream<Uint8Array>(
    ownOf({
      async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
        let isDone = false;
        try {
          // Not before: a stream that is never read needs none.
          compressor ??= create((bytes) => output.add(bytes));
          while (output.length === 0 && !isDone) isDone = await advance(compressor);
        } catch (error) {
          compressor?.abort();
          void reader.cancel(error).catch(ignore);
          throw error;
        }
        if (output.length > 0) controller.enqueue(output.bytes);
        output = new JoinedBytes(Infinity);
        if (isDone) controller.close();
      },
      cancel(reason: unknown) {
        compressor?.abort();
        return reader.cancel(reason);
      },
    }),
    ownOf({ highWaterMark: 0 }),
  );
}

/**
 * Returns the next result of a source, or null if it takes its time. A result that needs only microtasks comes before
 * any timer.
 */
async function unlessLate<T>(result: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, 0, null);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

function ofZlib(zlib: Zlib, format: Format, take: (bytes: Uint8Array) => void): Compressor {
  const { create, options, flushKind } = formats[format];
  const stream = propertyOf(zlib, create)!(ownOf(options));
  stream.on("data", take);
  // The waiting code learns of it by a callback. Without a listener the process would end.
  stream.on("error", ignore);
  return {
    write: (bytes) => called((done) => stream.write(bytes, done)),
    flush: () => called((done) => stream.flush(flushKind, done)),
    end: () =>
      new Promise((resolve, reject) => {
        stream.on("end", resolve);
        stream.on("error", reject);
        stream.end();
      }),
    abort: () => void stream.destroy(),
  };
}

function ofStream(format: CompressionFormat, take: (bytes: Uint8Array) => void): Compressor {
  const { readable, writable } = new CompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>;
  const writer = writable.getWriter();
  const taken = takeAll(readable.getReader(), take);
  // An error of the compressor fails the writer, too.
  taken.catch(ignore);
  return {
    write: (bytes) => writer.write(bytes),
    // `CompressionStream` has no way to flush.
    async flush() {},
    async end() {
      await writer.close();
      await taken;
    },
    abort: () => void writer.abort().catch(ignore),
  };
}

function ignore(): void {}

function called(start: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error as Error) : resolve()));
  });
}

async function takeAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    take(value);
  }
}
