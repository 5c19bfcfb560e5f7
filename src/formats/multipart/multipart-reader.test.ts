import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bounded, type ChunkReader } from "../../fields/whole-content.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { MultipartReader } from "./multipart-reader.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

function sourceOf(chunks: readonly Uint8Array[]): ChunkReader & { reads: number } {
  return {
    reads: 0,
    async read() {
      const value = chunks[this.reads++];
      return value === undefined ? { done: true } : { done: false, value };
    },
    async cancel() {},
  };
}

const maxHeadBytes = 1_000;

function within(source: ChunkReader): ChunkReader {
  return bounded(source, 100_000, (most) => new HTTPError(Status.ContentTooLarge, `longer than ${most}`));
}

async function partsIn(reader: MultipartReader): Promise<[head: string, content: string][]> {
  const parts: [string, string][] = [];
  for (let head = await reader.nextHead(); head !== null; head = await reader.nextHead()) {
    let content = "";
    for (let bytes = await reader.nextBytes(); bytes !== null; bytes = await reader.nextBytes())
      content += textOf(bytes);
    parts.push([textOf(head), content]);
  }
  return parts;
}

describe("MultipartReader", () => {
  it("reads the parts that were written, however they come in", async () => {
    const letters = fc.string({ unit: fc.constantFrom("\r", "\n", "-", "B", "x"), maxLength: 30 });
    const part = fc.record({
      head: fc.constantFrom("", "A: b", "A: b\r\nC: d"),
      content: letters,
      pad: fc.constantFrom("", " "),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 40 }),
        async (parts, lengths) => {
          fc.pre(parts.every(({ content }) => !`\r\n${content}\r`.includes("\r\n--BxB")));
          const head = (text: string): string => (text === "" ? "" : `${text}\r\n`);
          const written = parts.map(
            ({ head: fields, content, pad }) => `--BxB${pad}\r\n${head(fields)}\r\n${content}\r\n`,
          );
          const bytes = bytesOf(`${written.join("")}--BxB--\r\n`);
          const chunks: Uint8Array[] = [];
          let from = 0;
          for (const length of lengths) chunks.push(bytes.subarray(from, (from += length)));
          chunks.push(bytes.subarray(from));
          const read = await partsIn(new MultipartReader(sourceOf(chunks), "BxB", maxHeadBytes));
          expect(read).toEqual(
            parts.map(({ head: fields, content, pad }) => [`${pad}\r\n${head(fields)}\r\n`, content]),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("passes on chunks as they are, without a copy, and reads none before it is asked for", async () => {
    const chunk = new Uint8Array(1_000);
    const source = sourceOf([bytesOf("--B\r\n\r\n"), chunk, bytesOf("\r\n--B--")]);
    const reader = new MultipartReader(source, "B", maxHeadBytes);
    await reader.nextHead();
    expect(source.reads).toBe(1);
    expect((await reader.nextBytes())!.buffer).toBe(chunk.buffer);
    expect(source.reads).toBe(2);
    expect(await reader.nextBytes()).toBeNull();
  });

  it("goes over content that nobody reads", async () => {
    const reader = new MultipartReader(
      sourceOf([bytesOf("--B\r\nA: 1\r\n\r\nx\r\n--B\r\nA: 2\r\n\r\ny\r\n--B--")]),
      "B",
      maxHeadBytes,
    );
    await reader.nextHead();
    expect(textOf((await reader.nextHead())!)).toBe("\r\nA: 2\r\n\r\n");
    expect(await reader.nextHead()).toBeNull();
  });

  it("reads the source to its end, so that a connection can go on", async () => {
    const source = sourceOf([bytesOf("--B--"), bytesOf("\r\n"), bytesOf("epilogue")]);
    expect(await new MultipartReader(source, "B", maxHeadBytes).nextHead()).toBeNull();
    expect(source.reads).toBe(4);
  });

  it.each([
    ["all", "--B\r\n\r\n" + "x".repeat(100_000), 413, "longer than 100000"],
    ["the preamble", "x".repeat(100_001), 413, "longer than 100000"],
    ["the epilogue", "--B--" + "x".repeat(100_000), 413, "longer than 100000"],
    ["a head", `--B\r\n${"x".repeat(1_000)}`, 413, "A part of the form has a head of more than 1000 bytes"],
    [
      "the whitespace after a boundary",
      `--B${" ".repeat(2_000)}`,
      413,
      "A part of the form has a head of more than 1000 bytes",
    ],
  ])("bounds %s", async (_, text, status, message) => {
    const source = sourceOf([bytesOf(text.slice(0, 500)), bytesOf(text.slice(500))]);
    const reading = partsIn(new MultipartReader(within(source), "B", maxHeadBytes));
    await expect(reading).rejects.toMatchObject({ status, message });
  });

  it("refuses a source of something else", async () => {
    const source = { read: async () => ({ done: false, value: "text" }), cancel: async () => {} };
    await expect(new MultipartReader(within(source), "B", maxHeadBytes).nextHead()).rejects.toThrow(
      'Cannot read the content: expected it to be bytes, got "text"',
    );
  });
});
