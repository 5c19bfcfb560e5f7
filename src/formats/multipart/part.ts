import { isPromise } from "../../http/javascript/any-realm.ts";
import type { Bytes } from "../../http/javascript/bytes.ts";
import { described } from "../../http/javascript/described.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";
import { OptionCheck } from "../../http/javascript/option-check.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import type { Discards } from "./discards.ts";
import { checkTypes, fileTypeOf, isAccepted, isTextType } from "./file-type.ts";
import type { MultipartReader } from "./multipart-reader.ts";
import { textOf, type PartHead } from "./part-head.ts";
import { pulledStream } from "./pulled-stream.ts";
import type { Sink, StoredFile } from "./sink.ts";
import { storedFile } from "./stored-file.ts";

/** Options of `part.store()` besides a sink. */
export interface StoreOptions {
  /**
   * The media types that are accepted, such as `image/png`, or `image/*`. Default: all but those in which browsers run
   * scripts.
   */
  readonly types?: readonly string[] | undefined;
  /** Maximum size of the file in bytes. Default: the limit of `partsOf()`. */
  readonly maxBytes?: number | undefined;
}

/**
 * A part of a form: a field or a file, which `partsOf()` yields. Read its content once, before you ask for the next
 * part.
 */
export class Part implements PartHead, AsyncIterable<Uint8Array> {
  /** The name of the member of the form. */
  readonly name: string;
  /** File name that the client sent. Use it as a label, never as a path. Undefined if the part is a field. */
  readonly fileName: string | undefined;
  /** The media type that the client claims, in lower case. Default: `text/plain`. */
  readonly claimedType: string;
  readonly #reader: MultipartReader;
  #maxBytes: number;
  readonly #signalOf: () => AbortSignal;
  readonly #discards: Discards;
  /** The chunks that were read to detect the type. */
  readonly #first: Uint8Array[] = [];
  #left: number;
  #isTaken = false;
  #isOver = false;
  #storing: Promise<unknown> | null = null;
  #detected: Promise<string> | null = null;
  #isDetecting = false;
  #isReading = false;

  constructor(
    head: PartHead,
    reader: MultipartReader,
    maxBytes: number,
    signalOf: () => AbortSignal,
    discards: Discards,
  ) {
    this.name = head.name;
    this.fileName = head.fileName;
    this.claimedType = head.claimedType;
    this.#reader = reader;
    this.#maxBytes = maxBytes;
    this.#left = maxBytes;
    this.#signalOf = signalOf;
    this.#discards = discards;
  }

  /**
   * Returns the media type, detected from the first bytes. The client's claim counts for kinds of text only, and within
   * ZIP files.
   *
   * @throws {HTTPError} as `text()` does.
   * @throws {TypeError} when the content is read already, and nobody asked for the type before.
   */
  async type(): Promise<string> {
    if (this.#detected === null && this.#isTaken) throw this.#readAlready();
    return this.#typeOnce();
  }

  #typeOnce(): Promise<string> {
    return (this.#detected ??= this.#detect());
  }

  async #detect(): Promise<string> {
    let length = 0;
    this.#isDetecting = true;
    try {
      while (length < 512) {
        const bytes = await this.#readSoon();
        if (bytes === null) break;
        this.#first.push(bytes);
        length += bytes.length;
      }
    } finally {
      this.#isDetecting = false;
    }
    const first = new JoinedBytes(length);
    for (const bytes of this.#first) first.add(bytes);
    return fileTypeOf(first.bytes.subarray(0, 512), this.#isOver && length <= 512, this.claimedType);
  }

  /**
   * Returns whether it has neither a file name nor a byte: clients send such a part where no file was chosen.
   *
   * @throws {HTTPError} as `text()` does.
   */
  async isLeftEmpty(): Promise<boolean> {
    if (this.fileName) return false;
    if (!this.#isOver && this.#left === this.#maxBytes) await this.type();
    return this.#left === this.#maxBytes;
  }

  /**
   * Reads the content as text.
   *
   * @throws {HTTPError} 400 when it is not UTF-8 or breaks off, 413 when it is longer than allowed.
   * @throws {TypeError} when the content is read already.
   */
  async text(): Promise<string> {
    this.#take();
    // Most fields are in one chunk, and need not be copied.
    const first = (await this.#next()) ?? nothing;
    let bytes = await this.#next();
    if (bytes === null) return textOf(first);
    const whole = new JoinedBytes(this.#maxBytes);
    whole.add(first);
    for (; bytes !== null; bytes = await this.#next()) whole.add(bytes);
    return textOf(whole.bytes);
  }

  /** Reads the content as bytes. @throws {HTTPError} as `text()` does. @throws {TypeError} as `text()` does. */
  async bytes(): Promise<Bytes> {
    this.#take();
    const whole = new JoinedBytes(this.#maxBytes);
    for (let bytes = await this.#next(); bytes !== null; bytes = await this.#next()) whole.add(bytes);
    return whole.bytes;
  }

  /**
   * Reads the content chunk by chunk, as it comes in: `for await (const chunk of part)`. Makes no stream, so it costs
   * less than `content`.
   *
   * @throws {HTTPError} as `text()` does, while it is read.
   * @throws {TypeError} as `text()` does.
   */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined, undefined> {
    this.#take();
    return {
      next: async () => {
        const value = await this.#next();
        return value === null ? { done: true, value: undefined } : { done: false, value };
      },
    };
  }

  /** The content, as it comes in. It is read as fast as this stream is. @throws {TypeError} as `text()` does. */
  get content(): ReadableStream<Uint8Array> {
    this.#take();
    return pulledStream(() => this.#next());
  }

  /**
   * Stores the content while it comes in. Returns what the sink returned, and what is known of the file.
   *
   * The sink discards the file if a later part of the form fails, or the loop over the parts ends early.
   *
   * @throws {HTTPError} 422 when the type is not accepted, or text is not UTF-8; otherwise as `text()` does.
   * @throws {TypeError} as `text()` does, and when an option is wrong, or the sink has not read all of the content.
   * @throws what the sink throws.
   */
  store<Stored extends object>(sink: Sink<Stored>, options: StoreOptions = {}): Promise<StoredFile & Stored> {
    const check = new OptionCheck("store", options, ["types", "maxBytes"]);
    const { types, maxBytes = this.#maxBytes } = check.options;
    checkTypes(check);
    check.count("maxBytes");
    this.#take();
    if (maxBytes < this.#maxBytes) {
      this.#left -= this.#maxBytes - maxBytes;
      this.#maxBytes = maxBytes;
    }
    const stored = this.#store(sink, types);
    this.#storing = stored.catch(() => {});
    return stored;
  }

  /** Waits for a sink that is storing, and goes over what is left of the content. */
  async finish(): Promise<void> {
    this.#isTaken = true;
    await this.#storing;
    // A look at the type that nobody awaits reads on.
    if (this.#isDetecting) await this.#detected;
    while (!this.#isOver) await this.#next();
  }

  /** Whether there is nothing to finish: nothing is stored, and the content was read to its end. */
  get isFinished(): boolean {
    return this.#isOver && this.#storing === null;
  }

  /** Waits for a sink that is storing. */
  async settle(): Promise<void> {
    await this.#storing;
  }

  async #store<Stored extends object>(
    sink: Sink<Stored>,
    types: readonly string[] | undefined,
  ): Promise<StoredFile & Stored> {
    const type = await this.#typeOnce();
    if (!isAccepted(type, types)) {
      const is = `The file ${described(this.name)} is ${type}`;
      const why =
        types === undefined ? `${is}; accepted: types without scripts` : `${is}; accepted: ${types.join(", ")}`;
      throw new HTTPError(Status.UnprocessableContent, why);
    }
    const { name, fileName = "" } = this;
    const decoder = isTextType(type) ? new TextDecoder("utf-8", { fatal: true }) : null;
    return storedFile(
      sink,
      { name, fileName, type },
      {
        known: { fileName, type },
        next: () => this.#next(),
        see: (bytes) => decoder && this.#requireText(decoder, bytes),
        signal: this.#signalOf(),
        discards: this.#discards,
      },
    );
  }

  #requireText(decoder: TextDecoder, bytes: Uint8Array | null): void {
    try {
      decoder.decode(bytes ?? undefined, { stream: bytes !== null });
      if (bytes === null || !bytes.includes(0)) return;
    } catch {
      // The file is not UTF-8.
    }
    throw new HTTPError(Status.UnprocessableContent, `The file ${described(this.name)} is not text`);
  }

  #take(): void {
    if (this.#isTaken) throw this.#readAlready();
    this.#isTaken = true;
  }

  #readAlready(): TypeError {
    return new TypeError(`Cannot read the part ${described(this.name)}: it is read already`);
  }

  /** Returns the next bytes, or null at the end: at once if they are there, as most are. */
  #next(): Uint8Array | null | Promise<Uint8Array | null> {
    this.#refuseSecond();
    return this.#first.shift() ?? this.#readSoon();
  }

  /** Two at a time would take chunks from each other. */
  #refuseSecond(): void {
    if (!this.#isDetecting && !this.#isReading) return;
    throw new TypeError("Cannot read content twice at a time: a read is under way; await it");
  }

  #readSoon(): Uint8Array | null | Promise<Uint8Array | null> {
    if (this.#isOver) return null;
    const bytes = this.#reader.nextBytes();
    return isPromise(bytes) ? this.#countedLater(bytes) : this.#counted(bytes);
  }

  async #countedLater(coming: Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    this.#isReading = true;
    try {
      return this.#counted(await coming);
    } finally {
      this.#isReading = false;
    }
  }

  #counted(bytes: Uint8Array | null): Uint8Array | null {
    this.#isOver = bytes === null;
    this.#left -= bytes?.length ?? 0;
    if (this.#left >= 0) return bytes;
    const kind = this.fileName === undefined ? "field" : "file";
    throw new HTTPError(
      Status.ContentTooLarge,
      `The ${kind} ${described(this.name)} is longer than ${this.#maxBytes} bytes`,
    );
  }
}

const nothing = /* @__PURE__ */ new Uint8Array();
