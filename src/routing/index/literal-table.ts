/**
 * Returns whether `text` has `literal` at `from`. PERF: a comparison of a slice, or a search in long literals, is 2 to
 * 4 times faster on V8 than `startsWith` (`node bench/match.js`).
 */
export const standsAt: (text: string, literal: string, from: number) => boolean =
  // On JavaScriptCore another comparison is fast. Both forms return the same result.
  "Bun" in globalThis ? (text, literal, from) => text.startsWith(literal, from) : isCutOut;

function isCutOut(text: string, literal: string, from: number): boolean {
  const length = literal.length;
  if (length === 1) return from < text.length && text.charCodeAt(from) === literal.charCodeAt(0);
  if (length <= 12) return text.slice(from, from + length) === literal;
  if (text.length - from > 128 && text.charCodeAt(from + length - 1) !== literal.charCodeAt(length - 1)) return false;
  return text.indexOf(literal, from) === from;
}

/*
 * A table is a decision tree over characters. The tables of an index follow each other in one array of numbers. A fork
 * is
 *
 *   head, own, then a link for each character from the lowest to the highest one in use
 *
 * The head packs three numbers:
 *
 * - from bit 14 on, the position of the character that decides which link goes on;
 * - below that, in seven bits, the lowest character;
 * - in the lowest seven bits, the number of links.
 *
 * A link is the place of another fork, the complement of a literal's number, or 0 for nothing. `own` is the link to a
 * literal that ends at the position, or 0. Positions that do not fit are after the end of every path (C4.9). Wherever
 * they lead, the comparison of the literal that is found fails.
 *
 * PERF: one array for all tables makes a match of 10,000 patterns and more 10 to 25 % faster (`node bench/match.js`).
 */

/** A literal of a table. It is canonical, so it consists of ASCII characters. */
export interface Literal {
  readonly literal: string;
}

/** A literal that a longer path begins with. It is linked to the next shorter literal that it begins with itself. */
export interface Prefix extends Literal {
  shorter: this | null;
}

/** Holds the tables of an index. Static ends must equal the text to its end, and prefixes must begin it. */
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
   * Finds the one static end of a table that may be the text from `from` to `to`. Decides by length, then by the few
   * characters that differ. The caller still has to compare it.
   */
  findStaticEnd(table: number, text: string, from: number, to: number): StaticEnd | null {
    const forks = this.#forks;
    // The first fork is by length: its head holds the shortest length and the number of links.
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
   * Finds the longest prefix of a table that the text may go on with at `from`. Reads only the characters at which the
   * prefixes differ. The caller still has to compare it, and goes on to `shorter` if it does not match or leads
   * nowhere. All prefixes that match are on that chain.
   */
  findPrefix(table: number, text: string, from: number): Beginning | null {
    const forks = this.#forks;
    let longest = 0;
    let link = table;
    do {
      const head = forks[link]!;
      const own = forks[link + 1]!;
      if (own < 0) longest = own;
      // After one read past the end of a string, V8 reads every character by a slow call from then on.
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
