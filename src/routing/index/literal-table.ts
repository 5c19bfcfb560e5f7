/**
 * Tells whether `literal` stands in `text` at `from`.
 *
 * PERF: V8 compares a short slice, or finds a longer literal at once, two to four times faster than `startsWith` does it;
 * in long ones the last character is read first so that a search hardly ever runs on (`bench/match`).
 */
export const standsAt: (text: string, literal: string, from: number) => boolean =
  // JavaScriptCore differs in which comparison is fast; both forms give the same answer.
  "Bun" in globalThis ? (text, literal, from) => text.startsWith(literal, from) : isCutOut;

function isCutOut(text: string, literal: string, from: number): boolean {
  const length = literal.length;
  if (length === 1) return from < text.length && text.charCodeAt(from) === literal.charCodeAt(0);
  if (length <= 12) return text.slice(from, from + length) === literal;
  if (text.length - from > 128 && text.charCodeAt(from + length - 1) !== literal.charCodeAt(length - 1)) return false;
  return text.indexOf(literal, from) === from;
}

/*
 * A table is a decision tree over characters. Those of an index stand one behind the other in an array of numbers. A fork is
 *
 *   head, own, then a link for each character from the lowest to the highest one in use
 *
 * Its head holds the position of the character that tells which link goes on, from bit 14 on, below that in seven bits the
 * lowest character, and in seven more the number of links. A link is where another fork stands, or the complement of a
 * literal's number, or 0 for none: nothing stands there. `own` is the link to a literal that ends at the position, or 0. Positions
 * that do not fit are behind the end of every path (C4.9): wherever they lead, what is found does not stand.
 *
 * PERF: one array for all, as with one for each table a step goes through three more objects: of 10,000 patterns and more a
 * match takes 10 to 25 % less, of octokit's 5 %, of few the same (`bench/match`), and a pattern a sixth less memory
 * (`bench/build`). A head is one number, as each read of an array is checked.
 */

/** What a table holds. It is canonical, and so of ASCII characters. */
export interface Literal {
  readonly literal: string;
}

/** A literal that a longer path begins with, linked to the next shorter one that it begins with itself. */
export interface Prefix extends Literal {
  shorter: this | null;
}

/** The tables of an index: of static ends, which must equal the text to its end, and of prefixes, which must begin it. */
export class LiteralTables<StaticEnd extends Literal, Beginning extends Prefix> {
  readonly #forks: Int32Array;
  readonly #staticEnds: readonly StaticEnd[];
  readonly #prefixes: readonly Beginning[];

  constructor(forks: Int32Array, staticEnds: readonly StaticEnd[], prefixes: readonly Beginning[]) {
    this.#forks = forks;
    this.#staticEnds = staticEnds;
    this.#prefixes = prefixes;
  }

  /**
   * Finds the one static end of a table that may be the text from `from` to `to`: by its length, then by the few characters that tell
   * them apart. It is not compared yet: whoever asks compares it.
   */
  findStaticEnd(table: number, text: string, from: number, to: number): StaticEnd | null {
    const forks = this.#forks;
    // The first fork is by length: its head is the shortest one, and the number of links.
    const length = to - from - forks[table]!;
    if (length < 0 || length >= forks[table + 1]!) return null;
    let link = forks[table + 2 + length]!;
    while (link > 0) {
      const head = forks[link]!;
      const child = text.charCodeAt(from + (head >> 14)) - ((head >> 7) & 127);
      if (child < 0 || child >= (head & 127)) return null;
      link = forks[link + 2 + child]!;
    }
    return link < 0 ? this.#staticEnds[~link]! : null;
  }

  /**
   * Finds the longest prefix of a table that the text may go on with at `from`, by reading only the characters at which they part.
   * It is not compared yet: whoever asks compares it, and goes on to `shorter` where it does not stand or leads nowhere. All that
   * stand are on that chain.
   */
  findPrefix(table: number, text: string, from: number): Beginning | null {
    const forks = this.#forks;
    let longest = 0;
    let link = table;
    do {
      const head = forks[link]!;
      const own = forks[link + 1]!;
      if (own < 0) longest = own;
      // PERF: where V8 has read behind the end of a text once, it reads every character by a slow call from then on: 6 to 18 %
      // of a match (a scratch script: Hono's table, after paths shorter than its literals).
      const position = from + (head >> 14);
      if (position >= text.length) break;
      const child = text.charCodeAt(position) - ((head >> 7) & 127);
      if (child < 0 || child >= (head & 127)) break;
      link = forks[link + 2 + child]!;
    } while (link > 0);
    if (link < 0) longest = link;
    return longest < 0 ? this.#prefixes[~longest]! : null;
  }
}
