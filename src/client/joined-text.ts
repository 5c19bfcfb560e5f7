/**
 * A text that comes in parts. Holds no more of them than its length has doublings, since each weighs 24 bytes and more,
 * however short it is. To join all with each new one would read them again and again.
 */
export class JoinedText {
  length = 0;
  #parts: string[] = [];

  add(text: string): void {
    if (!text) return;
    this.length += text.length;
    let last = text;
    while ((this.#parts.at(-1)?.length ?? Infinity) <= last.length) last = [this.#parts.pop(), last].join("");
    this.#parts.push(last);
  }

  /** Returns the text, and begins another one. */
  take(): string {
    const text = this.#parts.join("");
    this.#parts = [];
    this.length = 0;
    return text;
  }
}
