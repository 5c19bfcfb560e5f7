import type { Content, FoundFile } from "../../src/content/file-source.ts";

/** How a file gives its bytes: each way that a source may have. */
export type Way = "bytes" | "stream" | "iterable";
export const ways: readonly Way[] = ["bytes", "stream", "iterable"];

/** A file in memory that counts what is done to it. */
export class StoredBytes implements FoundFile {
  readonly length: number;
  etag: string | null = '"1"';
  lastModified: Date | null = new Date("2024-05-06T07:08:09.500Z");
  type = "text/plain; charset=utf-8";
  coding: string | null = null;
  closings = 0;
  readonly reads: (readonly [start: number, end: number])[] = [];
  /** How many bytes were taken out of the file. */
  taken = 0;
  cancelings = 0;
  readonly #bytes: Uint8Array;
  readonly #way: Way;
  readonly #step: number;

  constructor(content: string | Uint8Array, way: Way = "stream", step = 4) {
    this.#bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.length = this.#bytes.byteLength;
    this.#way = way;
    this.#step = step;
  }

  read(start: number, end: number): Content {
    this.reads.push([start, end]);
    if (this.closings > 0) throw new Error("read after it was closed");
    const part = this.#bytes.subarray(start, end);
    if (this.#way === "bytes") return part;
    return this.#way === "stream" ? this.#streamed(part) : this.#parts(part);
  }

  close(): void {
    this.closings++;
  }

  #streamed(bytes: Uint8Array): ReadableStream<Uint8Array> {
    const parts = this.#parts(bytes);
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await parts.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => void parts.return(undefined),
      },
      { highWaterMark: 0 },
    );
  }

  #parts(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
    const parts = this.#generate(bytes);
    const end = parts.return.bind(parts);
    parts.return = (value) => {
      this.cancelings++;
      return end(value);
    };
    return parts;
  }

  async *#generate(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
    for (let at = 0; at < bytes.byteLength; at += this.#step) {
      const part = bytes.slice(at, at + this.#step);
      this.taken += part.byteLength;
      yield part;
    }
  }
}

/** A request with fields. */
export function asking(headers: Record<string, string> = {}, method = "GET"): Request {
  return new Request("http://h/", { method, headers });
}
