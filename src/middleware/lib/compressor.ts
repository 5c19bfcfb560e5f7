import { readerOf } from "../../http/content-reader.ts";
import { given, ownOf } from "../../http/given.ts";
import { JoinedBytes } from "../../http/joined-bytes.ts";

/** Compresses bytes, and gives what comes out to whoever made it. */
interface Compressor {
  write(bytes: Uint8Array): Promise<void>;
  /** Gives all that waits in it, where the runtime can have it do so. */
  flush(): Promise<void>;
  end(): Promise<void>;
  /** Lets go of it, whatever it is doing. */
  abort(): void;
}

/** @param take gets what comes out, and keeps none of it. */
export type CreateCompressor = (take: (bytes: Uint8Array) => void) => Compressor;

/** What is used of the streams of `node:zlib`. */
interface ZlibStream {
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  write(bytes: Uint8Array, done: Callback): unknown;
  flush(kind: number, done: Callback): unknown;
  end(): unknown;
  destroy(): unknown;
}

type Callback = (error?: unknown) => void;
type Zlib = Readonly<Record<string, (options: object) => ZlibStream>>;

interface Host {
  readonly process?: { readonly getBuiltinModule?: (id: string) => Zlib | undefined };
}

/** The name of a content coding. */
export type Format = "zstd" | "br" | "gzip" | "deflate";

/** How `node:zlib` makes what compresses in a format, and how that is told to flush. */
interface Recipe {
  readonly create: string;
  readonly options: object;
  readonly flushKind: number;
}

const formats: Readonly<Record<Format, Recipe>> = {
  // 1 is ZSTD_e_flush.
  zstd: { create: "createZstdCompress", options: {}, flushKind: 1 },
  // Quality 4: that of 11, which is the default, takes a hundred times as long. A window of 2 ** 19 bytes: of that of 2 ** 22,
  // up to 8 MB of the source would wait for the first byte to come out. 1 is BROTLI_OPERATION_FLUSH.
  br: { create: "createBrotliCompress", options: { params: ownOf({ 1: 4, 2: 19 }) }, flushKind: 1 },
  // 2 is Z_SYNC_FLUSH.
  gzip: { create: "createGzip", options: { level: 6 }, flushKind: 2 },
  deflate: { create: "createDeflate", options: { level: 6 }, flushKind: 2 },
};

/** More than this is not compressed at once: of a long chunk, no more is to be held than the client reads. */
const pieceBytes = 65_536;

/**
 * What compresses in a format, or null where the runtime has nothing that does.
 *
 * That is `node:zlib` on Node, Bun and Deno, which is not imported, as others have none. There `CompressionStream` has gzip and
 * deflate only: it takes no quality, and that of brotli is the slowest.
 */
export function compressorOf(format: Format): CreateCompressor | null {
  const zlib = zlibOf(globalThis as Host);
  if (zlib === null && format !== "gzip" && format !== "deflate") return null;
  const create: CreateCompressor =
    zlib === null ? (take) => ofStream(format as CompressionFormat, take) : (take) => ofZlib(zlib, format, take);
  try {
    // A runtime may have the name of what it has not made yet.
    create(ignore).abort();
    return create;
  } catch {
    return null;
  }
}

/**
 * Compresses a stream as far as it is read: what nobody reads is not taken from the source.
 *
 * What waits in the compressor is flushed when the source pauses. Whichever way it ends, source and compressor are let go of.
 */
export function compressed(source: ReadableStream<Uint8Array>, create: CreateCompressor): ReadableStream<Uint8Array> {
  const reader = readerOf(source);
  let compressor: Compressor | null = null;
  let output = new JoinedBytes(Infinity);
  let rest = new Uint8Array();
  let next: Promise<ReadableStreamReadResult<Uint8Array>> | null = null;
  let isWaiting = false;

  /** Whether the source has ended, and all of it is compressed. */
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
          // Not before: what is never read needs none.
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

/** What a source gives, or null if it takes its time. What needs nothing but microtasks comes before any timer. */
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

function zlibOf(host: Host): Zlib | null {
  const process = given(host, "process");
  const getBuiltinModule = process === undefined ? undefined : given(process, "getBuiltinModule");
  return getBuiltinModule?.call(process, "node:zlib") ?? null;
}

function ofZlib(zlib: Zlib, format: Format, take: (bytes: Uint8Array) => void): Compressor {
  const { create, options, flushKind } = formats[format];
  const stream = given(zlib, create)!(ownOf(options));
  stream.on("data", take);
  // Who waits is told by a callback; without a listener the process would end.
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
  // What fails it, fails the writer, too.
  taken.catch(ignore);
  return {
    write: (bytes) => writer.write(bytes),
    // It has nothing to flush by.
    async flush() {},
    async end() {
      await writer.close();
      await taken;
    },
    abort: () => void writer.abort().catch(ignore),
  };
}

function ignore(): void {}

function called(start: (done: Callback) => void): Promise<void> {
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
