import { randomBytes } from "node:crypto";
import * as zlib from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { turn } from "../../../tests/support/sockets.ts";
import { readWhole, type ChunkReader } from "../../fields/whole-content.ts";
import { decoded, decodingOf } from "./decompressor.ts";
import type { Format } from "./compressor.ts";

const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Buffer };
const encoders: Readonly<Record<Format, ((bytes: Uint8Array) => Buffer) | undefined>> = {
  // Node 20 has none.
  zstd: zstdCompressSync,
  // The default quality takes a hundred times as long.
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } }),
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
};
const text = new TextEncoder().encode("All work and no play makes Jack a dull boy. ".repeat(1000));

/** As on Workers, where there is no zlib. */
function withoutZlib(): void {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  onTestFinished(() => void vi.restoreAllMocks());
}

/** A reader of chunks, which counts, and says why it was canceled. */
function reading(...chunks: readonly unknown[]) {
  const seen = { reads: 0, reason: null as unknown };
  const left = [...chunks];
  const reader: ChunkReader = {
    async read() {
      seen.reads++;
      if (left.length === 0) return { done: true };
      const value = left.shift();
      if (value instanceof Error) throw value;
      return { done: false, value };
    },
    cancel: async (reason) => void (seen.reason = reason),
  };
  return { reader, seen };
}

const allOf = (reader: ChunkReader): Promise<Uint8Array> => readWhole(reader, Infinity);
const decode = (format: Format, ...chunks: readonly unknown[]): Promise<Uint8Array> =>
  allOf(decoded(reading(...chunks).reader, [decodingOf(format)!], 200));

/** What a reading ends in, so that a failing test does not print all bytes. */
const endOf = (read: Promise<Uint8Array>): Promise<unknown> =>
  read.then(
    ({ length }) => `${length} bytes`,
    (error: Error & { readonly status?: number }) => error,
  );

const ways = [
  ...(Object.keys(encoders) as Format[])
    .filter((format) => encoders[format] !== undefined && decodingOf(format) !== null)
    .map((format) => [format, "zlib"] as const),
  ...(["gzip", "deflate"] as const).map((format) => [format, "DecompressionStream"] as const),
];

describe.each(ways)("%s by %s", (format, way) => {
  const coded = encoders[format]!(text);
  const refused = { status: 400, message: `The content is not one complete stream of ${format}` };
  const prepare = (): void => (way === "zlib" ? undefined : withoutZlib());

  it("decodes content, however it is cut into chunks", async () => {
    prepare();
    for (const size of [1, 7, coded.length]) {
      const chunks = Array.from({ length: Math.ceil(coded.length / size) }, (_, at) =>
        coded.subarray(at * size, (at + 1) * size),
      );
      expect(Buffer.from(await decode(format, ...chunks)).equals(text), `${size}`).toBe(true);
    }
    const noise = randomBytes(300_000);
    expect(Buffer.from(await decode(format, encoders[format]!(noise))).equals(noise)).toBe(true);
  });

  // The streams of Node and Deno do not, and are not used: tests/middleware/decompress.test.ts asks that of Workers.
  it.skipIf(way !== "zlib")("refuses what is cut, wherever that is", async () => {
    prepare();
    for (const length of [0, 1, 3, coded.length >> 1, coded.length - 1])
      expect(await endOf(decode(format, coded.subarray(0, length))), `${length}`).toMatchObject(refused);
    expect(await endOf(decode(format))).toMatchObject(refused);
  });

  it.skipIf(way !== "zlib")("refuses what goes on after its end, in the same chunk and in another", async () => {
    prepare();
    const more = [Buffer.from("more"), Buffer.alloc(5)];
    for (const rest of more) {
      expect(await endOf(decode(format, Buffer.concat([coded, rest])))).toMatchObject(refused);
      expect(await endOf(decode(format, coded, rest))).toMatchObject(refused);
    }
  });

  it("refuses what is something else, and cancels its source", async () => {
    prepare();
    const { reader, seen } = reading(Buffer.from("plain text, of which nothing is coded"));
    const error: unknown = await allOf(decoded(reader, [decodingOf(format)!], 200)).catch((reason: unknown) => reason);
    expect(error).toMatchObject(refused);
    expect(seen.reason).toBe(error);
  });

  it("fails as its source does", async () => {
    prepare();
    const gone = new Error("gone");
    expect(await endOf(decode(format, coded.subarray(0, 3), gone))).toBe(gone);
  });

  it("refuses what expands more than it may, and reads on no further", async () => {
    prepare();
    const bomb = encoders[format]!(new Uint8Array(20_000_000));
    const { reader, seen } = reading(...partsOf(bomb, Math.ceil(bomb.length / 20)));
    expect(await endOf(allOf(decoded(reader, [decodingOf(format)!], 10)))).toMatchObject({ status: 413 });
    // Node's own stream takes all of it at once.
    expect(seen.reads).toBeLessThan(way === "zlib" ? 15 : 22);
    const short = encoders[format]!(new Uint8Array(65_536));
    expect((await allOf(decoded(reading(short).reader, [decodingOf(format)!], 1))).length).toBe(65_536);
  });

  it("reads nothing before it is read, and little ahead of who reads", async () => {
    prepare();
    const chunks = Array.from({ length: 60 }, () => randomBytes(65_536));
    const { reader, seen } = reading(...partsOf(encoders[format]!(Buffer.concat(chunks))));
    const content = decoded(reader, [decodingOf(format)!], 200);
    await turn();
    expect(seen.reads).toBe(0);
    await content.read();
    for (let time = 0; time < 20; time++) await turn();
    expect(seen.reads).toBeLessThan(20);
    await content.cancel("left");
    expect(seen.reason).toBe("left");
  });
});

function partsOf(bytes: Uint8Array, size = 65_536): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

describe("decodings", () => {
  it("decodes several codings, the last one first, and bounds them together", async () => {
    const both = ["gzip", "br"].map((format) => decodingOf(format as Format)!);
    const coded = zlib.brotliCompressSync(zlib.gzipSync(text));
    expect(Buffer.from(await allOf(decoded(reading(coded).reader, both, 200))).equals(text)).toBe(true);
    const bomb = zlib.brotliCompressSync(zlib.gzipSync(new Uint8Array(20_000_000)));
    expect(await endOf(allOf(decoded(reading(bomb).reader, both, 200)))).toMatchObject({ status: 413 });
  });

  it("RFC 1952 §2.2 decodes gzip of several members", async () => {
    const members = Buffer.concat([zlib.gzipSync("a"), zlib.gzipSync("b")]);
    expect(Buffer.from(await decode("gzip", members)).toString()).toBe("ab");
  });

  it("refuses content of which nothing comes, however long it is", async () => {
    const empty = zlib.gzipSync("");
    const { reader, seen } = reading(...Array.from({ length: 1000 }, () => Buffer.concat(Array(1000).fill(empty))));
    expect(await endOf(allOf(decoded(reader, [decodingOf("gzip")!], 200)))).toMatchObject({ status: 400 });
    expect(seen.reads).toBeLessThan(30);
  });

  it("has what the runtime has, and no zstd where a cut passes for the whole", () => {
    expect(decodingOf("gzip")?.format).toBe("gzip");
    // Node 20 has none, and Node 22, Bun and Deno take a cut for the whole.
    const isNode = !("Bun" in globalThis || "Deno" in globalThis);
    expect(decodingOf("zstd") !== null).toBe(
      isNode && "createZstdDecompress" in zlib && !process.version.startsWith("v22."),
    );
    const streams = { createZstdDecompress: () => zlib.createGunzip(), createGunzip: zlib.createGunzip };
    const getBuiltinModule = vi.spyOn(process, "getBuiltinModule");
    onTestFinished(() => void vi.restoreAllMocks());
    getBuiltinModule.mockReturnValue({ ...streams, zstdDecompressSync: () => Buffer.alloc(0) } as never);
    expect(decodingOf("zstd")).toBeNull();
    getBuiltinModule.mockReturnValue({ ...streams, zstdDecompressSync: zlib.gunzipSync } as never);
    expect(decodingOf("zstd")?.format).toBe("zstd");
    expect(decodingOf("br")).toBeNull();
    getBuiltinModule.mockReturnValue(undefined as never);
    expect([decodingOf("br"), decodingOf("zstd")]).toEqual([null, null]);
    expect(decodingOf("deflate")?.format).toBe("deflate");
  });

  it("refuses br that is cut where the decoder takes it for the whole", async () => {
    const decoder = (): zlib.BrotliDecompress => {
      const stream = zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_PROCESS });
      return stream;
    };
    vi.spyOn(process, "getBuiltinModule").mockReturnValue({ createBrotliDecompress: decoder } as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const coded = zlib.brotliCompressSync(text);
    expect((await decode("br", coded)).length).toBe(text.length);
    for (let length = 1; length < coded.length; length += 3)
      expect(await endOf(decode("br", coded.subarray(0, length))), `${length}`).toMatchObject({ status: 400 });
  });
});
