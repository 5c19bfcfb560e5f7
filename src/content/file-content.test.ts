import { describe, expect, it } from "vitest";
import { StoredBytes } from "../../tests/content/stored-bytes.ts";
import { allOf, closerOf, streamOf, type Piece } from "./file-content.ts";
import type { Content } from "./file-source.ts";

const text = "0123456789";
const changed = new Error("Cannot send the file: it changed while it was sent");
const whole: readonly Piece[] = [{ start: 0, end: 10 }];

const streamed = (stored: StoredBytes, pieces = whole): ReadableStream<Uint8Array> =>
  streamOf(stored, pieces, closerOf(stored));

const read = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

function given(content: unknown): StoredBytes {
  const stored = new StoredBytes(text);
  stored.read = () => content as Content;
  return stored;
}

async function* generated(...parts: unknown[]): AsyncGenerator<unknown> {
  yield* parts;
}

const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe("streamOf()", () => {
  it("reads nothing before it is read, and then no more than that", async () => {
    for (const way of ["stream", "iterable"] as const) {
      const stored = new StoredBytes("x".repeat(1000), way, 10);
      const reader = streamed(stored, [{ start: 0, end: 1000 }]).getReader();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(stored.taken).toBe(0);
      await reader.read();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(stored.taken).toBe(20);
      expect(stored.closings).toBe(0);
      await reader.cancel();
      expect(stored).toMatchObject({ closings: 1, cancelings: 1 });
    }
  });

  it("returns pieces one after the other, without empty parts", async () => {
    const encoder = new TextEncoder();
    const pieces = [
      encoder.encode("<"),
      { start: 8, end: 10 },
      encoder.encode("|"),
      { start: 0, end: 3 },
      encoder.encode(">"),
    ];
    for (const way of ["bytes", "stream", "iterable"] as const) {
      const stored = new StoredBytes(text, way, 2);
      expect(await read(streamed(stored, pieces))).toBe("<89|012>");
      expect(stored.closings).toBe(1);
    }
    const stored = given(generated(bytes(0), bytes(4), bytes(0), bytes(6), bytes(0)));
    expect(await read(streamed(stored))).toHaveLength(10);
  });

  it("F11 fails where bytes are missing, are too many, or are none", async () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [generated(bytes(9)), changed.message],
      [generated(), changed.message],
      [generated(bytes(11)), changed.message],
      [generated(bytes(10), bytes(1)), changed.message],
      [bytes(9), changed.message],
      [generated("0123456789"), 'Cannot send the file: expected parts of bytes, got "0123456789"'],
      [generated(undefined), "Cannot send the file: expected parts of bytes, got undefined"],
      [generated(new ArrayBuffer(10)), "Cannot send the file: expected parts of bytes, got an instance of ArrayBuffer"],
    ];
    for (const [content, message] of cases) {
      const stored = given(content);
      await expect(read(streamed(stored))).rejects.toThrow(message);
      expect(stored.closings).toBe(1);
    }
  });

  it("F11 sends nothing of a part that is too long", async () => {
    const reader = streamed(given(generated(bytes(6), bytes(6)))).getReader();
    expect((await reader.read()).value).toHaveLength(6);
    await expect(reader.read()).rejects.toThrow(changed);
  });

  it("F12 closes the file when reading fails, and cancels the reading", async () => {
    for (const content of [
      new ReadableStream({ pull: () => Promise.reject(new Error("EIO")) }),
      (async function* () {
        yield bytes(1);
        throw new Error("EIO");
      })(),
      { [Symbol.asyncIterator]: () => ({ next: () => { throw new Error("EIO"); } }) }, // oxfmt-ignore
    ]) {
      const stored = given(content);
      await expect(read(streamed(stored))).rejects.toThrow("EIO");
      expect(stored.closings).toBe(1);
    }
    let reason: unknown;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(bytes(6)),
      cancel: (why) => void (reason = why),
    });
    await expect(read(streamed(given(endless)))).rejects.toThrow(changed);
    expect(reason).toEqual(changed);
  });

  it("F12 closes the file when read() throws in the middle", async () => {
    const stored = new StoredBytes(text);
    const content = streamed(stored, [{ start: 0, end: 1 }, { start: 5, end: 6 }]); // oxfmt-ignore
    const reader = content.getReader();
    await reader.read();
    stored.read = () => {
      throw new Error("EIO");
    };
    await expect(reader.read()).rejects.toThrow("EIO");
    expect(stored.closings).toBe(1);
  });

  it("F12 closes the file at once when the client leaves, even if a part never comes", async () => {
    const never = new Promise<never>(() => {});
    const hanging = [
      new ReadableStream({ pull: () => never }),
      { [Symbol.asyncIterator]: () => ({ next: () => never, return: () => never }) },
      { [Symbol.asyncIterator]: () => ({ next: () => never }) },
      (async function* () {
        yield await never;
      })(),
    ];
    for (const content of hanging) {
      const stored = given(content);
      const reader = streamed(stored).getReader();
      const pending = reader.read();
      await new Promise((resolve) => setTimeout(resolve, 0));
      await reader.cancel();
      expect(stored.closings).toBe(1);
      expect((await pending).done).toBe(true);
    }
  });

  it("F12 takes nothing that comes after the client left", async () => {
    let come: (part: Uint8Array) => void = () => {};
    const stored = given({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((resolve) => (come = (value) => resolve({ done: false, value }))),
        return: () => Promise.reject(new Error("late")),
      }),
    });
    const reader = streamed(stored).getReader();
    void reader.read();
    await new Promise((resolve) => setTimeout(resolve, 0));
    await reader.cancel();
    come(bytes(10));
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(stored.closings).toBe(1);
  });

  it("F12 closes the file once, however often it is asked to", () => {
    const stored = new StoredBytes(text);
    const close = closerOf(stored);
    close();
    close();
    expect(stored.closings).toBe(1);
  });

  it("F12 closes the file before anything was read of it", async () => {
    for (const way of ["bytes", "stream", "iterable"] as const) {
      const stored = new StoredBytes(text, way);
      await streamed(stored).cancel();
      expect(stored).toMatchObject({ closings: 1, taken: 0 });
    }
  });
});

describe("allOf()", () => {
  const all = { start: 0, end: 10 };
  const everything = async (content: Content): Promise<string> => new TextDecoder().decode(await allOf(content, all));

  it("reads a range to its end, however it is given", async () => {
    for (const way of ["bytes", "stream", "iterable"] as const) {
      for (const step of [1, 4, 10]) {
        const stored = new StoredBytes(text, way, step);
        expect(await everything(stored.read(0, 10)), `${way} by ${step}`).toBe(text);
      }
    }
  });

  it("does not copy what comes in one piece", async () => {
    const piece = bytes(10);
    expect(await allOf(generated(bytes(0), piece) as AsyncIterable<Uint8Array>, all)).toBe(piece);
  });

  it("F11 refuses more bytes and fewer, and ends what it reads", async () => {
    for (const lengths of [[4], [], [4, 7], [10, 1]]) {
      let isOver = false;
      async function* parts(): AsyncGenerator<Uint8Array> {
        try {
          for (const length of lengths) yield bytes(length);
        } finally {
          isOver = true;
        }
      }
      await expect(allOf(parts(), all), String(lengths)).rejects.toEqual(changed);
      expect(isOver, String(lengths)).toBe(true);
    }
  });
});
