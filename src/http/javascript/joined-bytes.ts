/**
 * Puts bytes that come in chunks into one buffer: a chunk that is kept weighs a hundred bytes and more, however few are
 * in it. The buffer is made for what has come, and for no more than as much again, whatever anyone claims is to come.
 */
export class JoinedBytes {
  readonly #maxBytes: number;
  #buffer = new Uint8Array();
  #length = 0;

  /** @param maxBytes the most that will be added. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  add(chunk: Uint8Array): void {
    const from = this.#length;
    this.#length += chunk.byteLength;
    if (this.#length > this.#buffer.byteLength) {
      const shorter = this.#buffer;
      // What came in one chunk takes no more than that; twice as much each time, so that n chunks are copied in O(n).
      this.#buffer = new Uint8Array(Math.max(this.#length, Math.min(2 * shorter.byteLength, this.#maxBytes)));
      this.#buffer.set(shorter);
    }
    this.#buffer.set(chunk, from);
  }
}

export function joinedBytes(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + rest.length);
  bytes.set(head);
  bytes.set(rest, head.length);
  return bytes;
}
