import type { ChunkReader } from "../../fields/whole-content.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { Delimiter } from "./delimiter.ts";

const [tab, lineFeed, carriageReturn, space, hyphen] = [9, 10, 13, 32, 45];

/** Where chunks come from. Who opened it cancels it. */
export type ChunkSource = Pick<ChunkReader, "read" | "take">;

/**
 * Reads multipart content (RFC 2046 §5.1) chunk by chunk: the head of a part, its content, the head of the next one.
 * Holds no more than the chunk that came last and one head. Nothing is read from the source before it is asked for.
 */
export class MultipartReader {
  readonly #source: ChunkSource;
  readonly #delimiter: Delimiter;
  readonly #maxHeadBytes: number;
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;
  /** How many bytes of the delimiter came at the end of what was read. */
  #begun = 2;
  /** How many of them are not content. The line break of the delimiter may be the one before the content. */
  #apart = 2;
  #isAtDelimiter = false;

  /**
   * @param source chunks of bytes, which it bounds.
   * @param maxHeadBytes how many bytes the fields of one part may have.
   */
  constructor(source: ChunkSource, boundary: string, maxHeadBytes: number) {
    this.#source = source;
    this.#delimiter = new Delimiter(boundary);
    this.#maxHeadBytes = maxHeadBytes;
  }

  /**
   * Goes to the next part, over what is left of this one. Returns its fields, with all that is on the line of the
   * delimiter before them; null after the last part, when the source has ended.
   * @throws {HTTPError} 400 when the content is not multipart, or ends too early; 413 when a head is too long.
   */
  async nextHead(): Promise<Uint8Array | null> {
    while (!this.#isAtDelimiter) await this.nextBytes();
    this.#isAtDelimiter = false;
    const first = this.#byte() ?? (await this.#nextByte());
    const second = this.#byte() ?? (await this.#nextByte());
    return first === hyphen && second === hyphen ? this.#toEnd() : this.#headAfter(first, second);
  }

  /**
   * Returns the next bytes of the content of a part: at once if they are there, as most are. Null at its end.
   * @throws {HTTPError} as `nextHead()` does.
   */
  nextBytes(): Uint8Array | null | Promise<Uint8Array | null> {
    while (!this.#isAtDelimiter) {
      const more = this.#at < this.#chunk.length || this.#more();
      if (more !== true) return this.#bytesAfter(more);
      const bytes = this.#begun > 0 ? this.#afterBegun() : this.#upToDelimiter();
      if (bytes.length > 0) return bytes;
    }
    return null;
  }

  async #bytesAfter(more: MoreOrLater): Promise<Uint8Array | null> {
    await this.#require(more);
    return this.nextBytes();
  }

  /** Looks whether the delimiter goes on that began in the chunk before. Returns what of it is content after all. */
  #afterBegun(): Uint8Array {
    const [begun, apart] = [this.#begun, this.#apart];
    const same = this.#delimiter.sameAt(this.#chunk, this.#at, begun);
    if (begun + same === this.#delimiter.bytes.length) {
      this.#found(this.#at + same);
    } else if (this.#at + same === this.#chunk.length) {
      this.#at += same;
      this.#begun += same;
    } else {
      [this.#begun, this.#apart] = [0, 0];
      return this.#delimiter.bytes.slice(apart, begun);
    }
    return nothing;
  }

  #upToDelimiter(): Uint8Array {
    const [chunk, from] = [this.#chunk, this.#at];
    const found = this.#delimiter.indexIn(chunk, from);
    if (found !== -1) {
      this.#found(found + this.#delimiter.bytes.length);
      return chunk.subarray(from, found);
    }
    this.#at = chunk.length;
    this.#begun = this.#delimiter.begunAtEndOf(chunk, from);
    return chunk.subarray(from, chunk.length - this.#begun);
  }

  #found(end: number): void {
    this.#at = end;
    this.#isAtDelimiter = true;
    [this.#begun, this.#apart] = [0, 0];
  }

  /**
   * Reads over the epilogue, which is to be ignored (RFC 2046 §5.1.1): a connection goes on after all of the content
   * only.
   */
  async #toEnd(): Promise<null> {
    while (await this.#more());
    return null;
  }

  async #headAfter(first: number, second: number): Promise<Uint8Array> {
    if (first !== carriageReturn && first !== space && first !== tab) throw malformed();
    const maxHeadBytes = this.#maxHeadBytes;
    // The two bytes after the boundary are in this chunk, if it has so many before. Most heads are then there as a
    // whole, and are not copied.
    const begin = this.#at - 2;
    let head: JoinedBytes | null = null;
    let breaks = breaksAfter(breaksAfter(0, first), second);
    for (;;) {
      const from = this.#at;
      while (breaks < 4 && this.#at < this.#chunk.length) breaks = breaksAfter(breaks, this.#chunk[this.#at++]!);
      const length = (head?.length ?? 2) + this.#at - from;
      if (length > maxHeadBytes) {
        throw new HTTPError(Status.ContentTooLarge, `A part of the form has a head of more than ${maxHeadBytes} bytes`);
      }
      if (breaks === 4) {
        // RFC 2046 §5.1.1: a part without content has the line break of the delimiter right after its fields.
        [this.#begun, this.#apart] = [2, 2];
        if (head === null && begin >= 0) return this.#chunk.subarray(begin, this.#at);
      }
      if (head === null) {
        head = new JoinedBytes(maxHeadBytes);
        head.add(Uint8Array.of(first, second));
      }
      head.add(this.#chunk.subarray(from, this.#at));
      if (breaks === 4) return head.bytes;
      await this.#require();
    }
  }

  /** Returns the next byte if it is there, as most are. */
  #byte(): number | undefined {
    return this.#at < this.#chunk.length ? this.#chunk[this.#at++] : undefined;
  }

  async #nextByte(): Promise<number> {
    await this.#require();
    return this.#chunk[this.#at++]!;
  }

  async #require(more: MoreOrLater = this.#more()): Promise<void> {
    if (!(await more)) throw new HTTPError(Status.BadRequest, "The form ends before its last boundary");
  }

  /** Goes on to the next chunk: at once if it is there. False at the end of the source. */
  #more(): MoreOrLater {
    const chunk = this.#source.take?.();
    if (chunk === undefined) return this.#source.read().then((read) => this.#moreIn(read));
    this.#begin(chunk);
    return this.#chunk.length > 0 || this.#more();
  }

  #moreIn({ done, value }: { readonly done?: boolean | undefined; readonly value?: unknown }): MoreOrLater {
    if (done === true) return false;
    this.#begin(value);
    return this.#chunk.length > 0 || this.#more();
  }

  #begin(chunk: unknown): void {
    this.#chunk = chunk as Uint8Array;
    this.#at = 0;
  }
}

/** Whether there is another chunk. */
type MoreOrLater = boolean | Promise<boolean>;

const nothing = /* @__PURE__ */ new Uint8Array();

/** Counts how many bytes of two line breaks there are after one more byte. */
function breaksAfter(breaks: number, byte: number): number {
  if (byte === (breaks % 2 === 0 ? carriageReturn : lineFeed)) return breaks + 1;
  return byte === carriageReturn ? 1 : 0;
}

export function malformed(cause?: unknown): HTTPError {
  return new HTTPError(Status.BadRequest, "The content is not multipart/form-data", { cause });
}
