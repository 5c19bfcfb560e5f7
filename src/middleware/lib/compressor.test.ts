import { randomBytes } from "node:crypto";
import * as zlib from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate, turn } from "../../../tests/support/sockets.ts";
import { compressed, compressorOf, type Format } from "./compressor.ts";

const noise = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(length));
const text = "All work and no play makes Jack a dull boy. ".repeat(10_000);
const bytesOf = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);

const decoders: Readonly<Record<Format, ((bytes: Uint8Array) => Buffer) | undefined>> = {
  // Node 20 has none.
  zstd: (zlib as { zstdDecompressSync?: (bytes: Uint8Array) => Buffer }).zstdDecompressSync,
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
};
const formats = (Object.keys(decoders) as Format[]).filter((format) => decoders[format] !== undefined);

/** Lets everything through. */
class Passing {
  readonly readable: ReadableStream;
  readonly writable: WritableStream;

  constructor() {
    ({ readable: this.readable, writable: this.writable } = new TransformStream());
  }
}

/** As on Workers, where there is no zlib. */
function withoutZlib(): void {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  onTestFinished(() => void vi.restoreAllMocks());
}

function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

function compress(source: ReadableStream<Uint8Array>, format: Format): ReadableStream<Uint8Array> {
  return compressed(source, compressorOf(format)!);
}

async function allOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

function endless(chunk: () => Uint8Array) {
  const { opened: canceled, open: cancel } = gate();
  const seen = { pulls: 0, reason: null as unknown };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        seen.pulls++;
        await turn();
        controller.enqueue(chunk());
      },
      cancel(reason) {
        seen.reason = reason;
        cancel();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen, canceled };
}

const places = [
  ["zlib", () => {}, formats],
  ["CompressionStream", withoutZlib, formats.filter((format) => format === "gzip" || format === "deflate")],
] as const;

describe.each(places)("compressed() by %s", (_, arrange, known) => {
  it.each(known)("keeps what is compressed as %s", async (format) => {
    arrange();
    const decode = decoders[format]!;
    expect(decode(await allOf(compress(streamOf(bytesOf(text)), format))).toString()).toBe(text);
    expect(decode(await allOf(compress(streamOf(), format)))).toHaveLength(0);
    const chunks = [noise(300_000), new Uint8Array(), noise(1), noise(70_000)];
    const joined = Buffer.concat(chunks);
    expect(decode(await allOf(compress(streamOf(...chunks), format))).equals(joined)).toBe(true);
  });

  it.each(known)("takes nothing of the source before anyone reads, and no more than is read, as %s", async (format) => {
    arrange();
    const { stream, seen } = endless(() => noise(65_536));
    const result = compress(stream, format);
    for (let count = 0; count < 50; count++) await turn();
    expect(seen.pulls).toBe(0);
    const reader = result.getReader();
    await reader.read();
    for (let count = 0; count < 50; count++) await turn();
    expect(seen.pulls).toBeLessThan(20);
    await reader.cancel();
  });

  it("takes one long chunk in pieces", async () => {
    arrange();
    const reader = compress(streamOf(noise(10_000_000)), "gzip").getReader();
    for (let count = 0; count < 5; count++) expect((await reader.read()).value!.byteLength).toBeLessThan(500_000);
    await reader.cancel();
  });

  it("cancels the source when the client leaves, while it is read and before", async () => {
    arrange();
    const { stream, seen, canceled } = endless(() => noise(65_536));
    const reader = compress(stream, "gzip").getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel("gone");
    await canceled;
    expect(seen.reason).toBe("gone");
    expect((await pending).done).toBe(true);

    const unread = endless(() => noise(1));
    await compress(unread.stream, "gzip").cancel("early");
    expect([unread.seen.pulls, unread.seen.reason]).toEqual([0, "early"]);
  });

  it("fails as the source fails", async () => {
    arrange();
    let count = 0;
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (count++ > 2) throw new Error("broken");
        controller.enqueue(noise(10));
      },
    });
    await expect(allOf(compress(failing, "gzip"))).rejects.toThrow("broken");
  });
});

describe("compressed()", () => {
  it.each(formats)("outputs what came before the source goes on, as %s", async (format) => {
    const { opened, open } = gate();
    const parts = ["<p>shell", "<p>late"];
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (parts.length === 1) await opened;
          controller.enqueue(bytesOf(parts.shift()!));
          if (parts.length === 0) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const reader = compress(stream, format).getReader();
    // Unfinished output decodes as far as it was flushed. The header of gzip may come alone.
    const finishFlush = format === "gzip" || format === "deflate" ? zlib.constants.Z_SYNC_FLUSH : 1;
    const decode = decoders[format] as (bytes: Uint8Array, options?: object) => Buffer;
    const read: Uint8Array[] = [];
    while (read.length === 0 || decode(Buffer.concat(read), { finishFlush }).length === 0) {
      read.push((await reader.read()).value!);
    }
    expect(decode(Buffer.concat(read), { finishFlush }).toString()).toBe("<p>shell");
    open();
    for (let next = await reader.read(); !next.done; next = await reader.read()) read.push(next.value);
    expect(decode(Buffer.concat(read)).toString()).toBe("<p>shell<p>late");
  });

  it("cancels the source and the compressor if that fails", async () => {
    const { stream, seen, canceled } = endless(() => noise(1));
    const abort = vi.fn<() => void>();
    const write = () => Promise.reject(new Error("broken"));
    const create = () => ({ write, flush: write, end: write, abort });
    await expect(allOf(compressed(stream, create))).rejects.toThrow("broken");
    await canceled;
    expect(seen.reason).toEqual(new Error("broken"));
    expect(abort).toHaveBeenCalledOnce();
    const unmade = endless(() => noise(1));
    const failing = () => {
      throw new Error("no memory");
    };
    await expect(allOf(compressed(unmade.stream, failing))).rejects.toThrow("no memory");
    await unmade.canceled;
  });

  it("does not wait forever for a canceled one", async () => {
    const compressor = compressorOf("gzip")!(() => {});
    compressor.abort();
    await expect(compressor.write(noise(1))).rejects.toThrow();
  });

  it("does not flush between chunks that are there", async () => {
    const chunks = Array.from({ length: 1000 }, (_, index) => bytesOf(`${index} and so on, `));
    const whole = zlib.gzipSync(Buffer.concat(chunks)).length;
    expect((await allOf(compress(streamOf(...chunks), "gzip"))).length).toBeLessThan(whole * 1.1);
  });

  it("has brotli of quality 4, and gzip of level 6", async () => {
    const words = Array.from({ length: 50_000 }, (_, index) => `${(index * index) % 977} `).join("");
    const brotli = (quality: number): Buffer =>
      zlib.brotliCompressSync(words, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality } });
    const { length } = await allOf(compress(streamOf(bytesOf(words)), "br"));
    expect(Math.abs(length - brotli(4).length)).toBeLessThan(brotli(4).length / 50);
    expect(Math.abs(length - brotli(11).length)).toBeGreaterThan(brotli(11).length / 10);
    const gzip = await allOf(compress(streamOf(bytesOf(words)), "gzip"));
    expect(Math.abs(gzip.length - zlib.gzipSync(words, { level: 6 }).length)).toBeLessThan(gzip.length / 50);
  });

  it("keeps the output of a source that pauses, if nothing can flush it", async () => {
    withoutZlib();
    const { opened, open } = gate();
    const paused = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(bytesOf("<p>shell"));
        await opened;
        controller.enqueue(bytesOf("<p>late"));
        controller.close();
      },
    });
    const all = allOf(compress(paused, "gzip"));
    // Longer than a source may take before it counts as late.
    await new Promise((resolve) => setTimeout(resolve, 20));
    open();
    expect(zlib.gunzipSync(await all).toString()).toBe("<p>shell<p>late");
  });

  it("outputs nothing if nothing comes of it", async () => {
    withoutZlib();
    vi.stubGlobal("CompressionStream", Passing);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await allOf(compress(streamOf(), "gzip"))).toHaveLength(0);
  });
});

describe("compressorOf()", () => {
  it("knows gzip and deflate only where there is no zlib: no quality can be set there", () => {
    withoutZlib();
    vi.stubGlobal("CompressionStream", Passing);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(compressorOf("gzip")).toBeTypeOf("function");
    expect(compressorOf("deflate")).toBeTypeOf("function");
    expect([compressorOf("br"), compressorOf("zstd")]).toEqual([null, null]);
  });

  it("knows none where there is neither", () => {
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("CompressionStream", undefined);
    const found = compressorOf("gzip");
    vi.stubGlobal("process", {});
    const foundOfShim = compressorOf("gzip");
    vi.unstubAllGlobals();
    expect([found, foundOfShim]).toEqual([null, null]);
  });

  it("passes over what zlib of a runtime has not, or has not made yet", () => {
    const { createGzip } = zlib;
    const createBrotliCompress = (): never => {
      throw new Error("not implemented");
    };
    vi.spyOn(process, "getBuiltinModule").mockReturnValue({ createGzip, createBrotliCompress } as never);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(compressorOf("gzip")).toBeTypeOf("function");
    expect([compressorOf("br"), compressorOf("zstd")]).toEqual([null, null]);
  });
});
