const carriageReturn = 13;

/**
 * The bytes between the parts of a form: a line break, two hyphens and the boundary (RFC 2046 §5.1.1). It begins with a
 * carriage return and has no other, as a boundary cannot have one. So a place where it might begin is never inside
 * another such place, and no byte is compared twice. The search is linear, whatever the boundary is.
 */
export class Delimiter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * How far the search goes on from a byte under the end of the delimiter: to where that byte is in the delimiter next.
   */
  readonly #steps: Uint8Array;

  /** @param boundary of ASCII characters, as a field has them. */
  constructor(boundary: string) {
    this.bytes = new TextEncoder().encode(`\r\n--${boundary}`);
    const last = this.bytes.length - 1;
    this.#steps = new Uint8Array(256).fill(this.bytes.length);
    for (let at = 0; at < last; at++) this.#steps[this.bytes[at]!] = last - at;
  }

  /** Returns where the delimiter is, or -1. */
  indexIn(content: ArrayLike<number>, from: number): number {
    const { length } = this.bytes;
    const last = length - 1;
    const lastByte = this.bytes[last];
    for (let end = from + last; end < content.length;) {
      const byte = content[end]!;
      const step = this.#steps[byte]!;
      if (byte !== lastByte) {
        end += step;
        continue;
      }
      const same = this.sameAt(content, end - last, 0);
      if (same === length) return end - last;
      end += Math.max(step, same);
    }
    return -1;
  }

  /** Returns how many bytes of the delimiter, after those that are known, are in the content from there on. */
  sameAt(content: ArrayLike<number>, from: number, known: number): number {
    const most = Math.min(this.bytes.length - known, content.length - from);
    let same = 0;
    while (same < most && content[from + same] === this.bytes[known + same]) same++;
    return same;
  }

  /** Returns how many bytes at the end of the content may be the beginning of the delimiter. */
  begunAtEndOf(content: ArrayLike<number>, from: number): number {
    const earliest = Math.max(from, content.length - this.bytes.length + 1);
    for (let at = content.length - 1; at >= earliest; at--) {
      if (content[at] !== carriageReturn) continue;
      const begun = content.length - at;
      return this.sameAt(content, at, 0) === begun ? begun : 0;
    }
    return 0;
  }
}
