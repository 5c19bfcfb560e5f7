import { isStream } from "../http/javascript/any-realm.ts";
import type { Bytes } from "../http/javascript/bytes.ts";
import { described } from "../http/javascript/described.ts";
import { propertiesOf, propertyOf } from "../http/javascript/property.ts";
import { readerOf } from "../http/message/content-reader.ts";
import { isFramed } from "../http/message/framed-content.ts";
import { HTTPError, refusal } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { parseList } from "./list.ts";
import { lightBytes, lightChunks, type LightRequest } from "../http/message/light-request.ts";
import { hasContent } from "./request-content.ts";
import type { RequestFields } from "./request-fields.ts";
import { bounded, claimedLengthOf, readWhole, tooLong, type ChunkReader } from "./whole-content.ts";

/** The content of one request, with the fields that describe it. */
export class CarriedContent {
  readonly fields: Pick<RequestFields, "get">;
  readonly input: object;

  constructor(input: object, fields: Pick<RequestFields, "get">) {
    this.input = input;
    this.fields = fields;
  }

  /** Whether there is any, by what its host and its fields say: nothing is read. */
  get isThere(): boolean {
    return hasContent(this.input);
  }

  /** Reads all of it. @throws {HTTPError} 413 when it has more bytes (RFC 9110 §15.5.14), 400 when it breaks off. */
  bytes(maxBytes: number): Promise<Bytes> {
    const claimed = lengthWithin(this.input, maxBytes, tooLong);
    const light = (this.input as Partial<LightRequest>)[lightBytes]?.(maxBytes, this.input as object) ?? null;
    if (light !== null) {
      return light.then((bytes) => {
        if (bytes === null) throw tooLong(maxBytes);
        return bytes;
      }, unreadable);
    }
    // PERF: on Bun and Deno, a stream that is read in parts is half of the cost of a request
    // (`node bench/requests.js`, R2).
    return claimed > 0 && isFramed(this.input)
      ? this.#atOnce(this.input as Request, maxBytes)
      : this.#inParts(maxBytes);
  }

  /** Reads content that is as long as its `Content-Length` says, which is not too long. */
  async #atOnce(request: Request, maxBytes: number): Promise<Bytes> {
    let bytes: ArrayBuffer;
    try {
      bytes = await request.arrayBuffer();
    } catch (cause) {
      // Where nothing was read, somebody holds a reader of the stream. Reading in parts refuses that.
      return request.bodyUsed ? unreadable(cause) : this.#inParts(maxBytes);
    }
    if (bytes.byteLength > maxBytes) throw tooLong(maxBytes);
    return new Uint8Array(bytes);
  }

  #inParts(maxBytes: number): Promise<Bytes> {
    const reader = contentReaderOf(this.input, maxBytes);
    return reader === null ? Promise.resolve(new Uint8Array()) : readWhole(reader, maxBytes);
  }

  /** Returns whether the content is empty. Reads its first part, or nothing if it has a length. */
  async isEmpty(): Promise<boolean> {
    try {
      return (await this.bytes(0)).length === 0;
    } catch {
      return false;
    }
  }
}

/** Content that breaks off is the client's doing, unless middleware broke it off: that says why. */
export function unreadable(cause: unknown): never {
  throw cause instanceof HTTPError ? cause : new HTTPError(Status.BadRequest, "The content ended early", { cause });
}

/** The content codings of content in lower case, in the order in which they were applied (RFC 9110 §8.4). */
export function codingsOf(value: string | null): string[] {
  // PERF: 1 us of 30 on Bun for the field that no client sends (`node bench/requests.js --measure=sockets`, R2).
  if (value === null) return [];
  return parseList(value.toLowerCase()).filter((coding) => coding !== "identity");
}

/**
 * Refuses content that is compressed, or declared as compressed: no reader decodes it (RFC 9110 §8.4).
 * @throws {HTTPError} 415 when the content has a content coding.
 */
export function refuseCoded(fields: Pick<RequestFields, "get">): void {
  if (codingsOf(fields.get("content-encoding")).length === 0) return;
  // RFC 9110 §12.5.3: the field says that the coding was the reason, not the type.
  throw refusal(Status.UnsupportedMediaType, "Content-Encoding is not accepted", {
    "accept-encoding": "identity",
  });
}

/**
 * Reads the content of a `Request`, or of what an input of the polyfill chain carries: a `Request`, or Node's message.
 * Null if there is none.
 *
 * Content that is too long by its own `Content-Length` is refused unread, because a read would ask the client for it
 * (RFC 9110 §10.1.1).
 *
 * @param errorOf makes the error for content that is longer than allowed.
 * @param failed is called where the content breaks off, as by `bounded()`.
 * @param mostAtOnce how long content may be that comes as one chunk: that is cheaper.
 * @throws {HTTPError} 413, here and while it is read.
 */
export function contentReaderOf(
  input: object,
  maxBytes: number,
  errorOf: (maxBytes: number) => HTTPError = tooLong,
  failed: Parameters<typeof bounded>[3] = unreadable,
  mostAtOnce: number = shortBytes,
): ChunkReader | null {
  const claimed = lengthWithin(input, maxBytes, errorOf);
  const reader = readerIn(input, claimed > mostAtOnce ? 0 : claimed);
  return reader === null ? null : bounded(reader, maxBytes, errorOf, failed);
}

function readerIn(input: object, claimed: number): ChunkReader | null {
  const light = input as Partial<LightRequest>;
  // PERF: a stream is half of the cost of a form of ten fields (`node bench/uploads/main.js`).
  const bytes = claimed > 0 ? light[lightBytes]?.(claimed, input) : null;
  if (bytes) return readerOfBytes(bytes, claimed);
  const chunks = light[lightChunks]?.(input);
  if (chunks) return chunks;
  const { body, request } = propertiesOf(input as Carrying, ["body", "request"]);
  const content = body ?? (request === undefined ? undefined : propertyOf(request, "body"));
  if (isStream(content)) return readerOf(content);
  if (content === null || (content === undefined && !hasContent(input))) return null;
  const iterator = request === undefined ? undefined : propertyOf(request, "iterator");
  if (typeof iterator === "function") {
    // Node would destroy a message that is not read to its end, and its connection.
    const iterated = iterator.call(request, { destroyOnReturn: false });
    return { read: () => iterated.next(), cancel: async () => iterated.return?.() };
  }
  throw new TypeError(
    `Cannot read the content: expected a Request, or a context with the request of Node, got ${described(input)}`,
  );
}

/** Returns the length that the client claims, if that is allowed. @throws {HTTPError} 413. */
function lengthWithin(input: object, maxBytes: number, errorOf: (maxBytes: number) => HTTPError): number {
  const claimed = claimedLengthOf(input);
  if (claimed > maxBytes) throw errorOf(maxBytes);
  return claimed;
}

/** Returns bytes that come at once as the only chunk. Others may have the same buffer, so they are copied. */
function readerOfBytes(whole: Promise<Uint8Array | null>, claimed: number): ChunkReader {
  let left: typeof whole | null = whole;
  // Nobody may wait for it.
  whole.catch(() => {});
  return {
    async read() {
      if (left === null) return { done: true };
      const bytes = await left;
      left = null;
      if (bytes === null) throw tooLong(claimed);
      return { done: false, value: new Uint8Array(bytes) };
    },
    cancel: async () => {},
  };
}

/** A buffer of a socket has as many. */
const shortBytes = 65_536;

/** An input, and what of it may have content. */
interface Carrying {
  readonly body?: unknown;
  readonly request?: {
    readonly body?: unknown;
    iterator?(options: { readonly destroyOnReturn: boolean }): AsyncIterator<unknown>;
  };
}
