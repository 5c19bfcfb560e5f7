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
 * Both tables below are decision trees over characters, packed into one array of numbers. A fork is
 *
 *   head, own, then a link for each character from the lowest to the highest one in use
 *
 * Its head holds the position of the character that tells which link goes on, from bit 14 on, below that in seven bits the
 * lowest character, and in seven more the number of links. A link is where another fork stands, or the complement of a
 * literal's number, or 0 for none: the first fork stands there, and nothing leads back to it. `own` is the link to a literal
 * that ends at the position, or 0. Positions that do not fit are behind the end of every path (C4.9): wherever they lead, what
 * is found does not stand.
 *
 * PERF: of 100,000 patterns static ones are found in two thirds of the time that objects with arrays in them took, and a pattern
 * takes a fifth less memory (`bench/match`, synthetic-100000; `bench/build`). A head is one number, as each read of an array is checked.
 */

/** What a table holds. It is canonical, and so of ASCII characters. */
export interface Literal {
  readonly literal: string;
}

/** Literals that must equal the text to its end: found by length, then by the few characters that tell them apart. */
export class TailTable<L extends Literal> {
  /** The first fork is by length: its head is the shortest one, and the number of links. */
  readonly #forks: readonly number[];
  readonly #tails: readonly L[];

  constructor(tails: readonly L[]) {
    const packed = new Packed<L>();
    const decide = (same: readonly L[]): number =>
      same.length === 1 ? -packed.literals.push(same[0]!) : packed.branch(same, bestPosition(same), 0, decide);
    const lengthOf = ({ literal }: L): number => literal.length;
    packed.fork(tails, lengthOf, (...head) => head, decide);
    this.#forks = packed.forks.slice();
    this.#tails = packed.literals.slice();
  }

  /** Finds the one literal that may be the text from `from` to `to`. It is not compared yet: whoever asks compares it. */
  find(text: string, from: number, to: number): L | null {
    const forks = this.#forks;
    const length = to - from - forks[0]!;
    if (length < 0 || length >= forks[1]!) return null;
    let link = forks[2 + length]!;
    while (link > 0) {
      const head = forks[link]!;
      const child = text.charCodeAt(from + (head >> 14)) - ((head >> 7) & 127);
      if (child < 0 || child >= (head & 127)) return null;
      link = forks[link + 2 + child]!;
    }
    return link < 0 ? this.#tails[~link]! : null;
  }
}

/** The position whose largest group of equal characters is smallest: the fewest questions to tell the literals apart. */
function bestPosition(literals: readonly Literal[]): number {
  const count = new Uint32Array(128);
  let best = 0;
  let smallest = Infinity;
  for (let position = 0; position < literals[0]!.literal.length; position++) {
    count.fill(0);
    let largest = 0;
    for (let at = 0; at < literals.length; at++) {
      largest = Math.max(largest, ++count[literals[at]!.literal.charCodeAt(position)]!);
    }
    if (largest < smallest) {
      smallest = largest;
      best = position;
    }
  }
  return best;
}

/** A literal that a longer path begins with, linked to the next shorter one that it begins with itself. */
export interface Prefix extends Literal {
  shorter: this | null;
}

/** Literals that must begin the text, as a patricia tree: found by reading only the characters at which they part. */
export class PrefixTree<P extends Prefix> {
  readonly #forks: readonly number[];
  readonly #prefixes: readonly P[];

  /** Links each prefix to the next shorter one as well. */
  constructor(prefixes: readonly P[]) {
    const packed = new Packed<P>();
    const part = (group: readonly P[], above: P | null): number => {
      const position = commonLength(group);
      const own = group.find(({ literal }) => literal.length === position);
      if (own === undefined) return packed.branch(group, position, 0, (some) => part(some, above));
      own.shorter = above;
      const leaf = -packed.literals.push(own);
      const longer = group.filter((prefix) => prefix !== own);
      return longer.length === 0 ? leaf : packed.branch(longer, position, leaf, (some) => part(some, own));
    };
    part(prefixes, null);
    this.#forks = packed.forks.slice();
    this.#prefixes = packed.literals.slice();
  }

  /**
   * Finds the longest prefix that the text may go on with at `from`. It is not compared yet: whoever asks compares it, and
   * goes on to `shorter` where it does not stand or leads nowhere. All that stand are on that chain.
   */
  find(text: string, from: number): P | null {
    const forks = this.#forks;
    let longest = 0;
    let link = 0;
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

function commonLength(literals: readonly Literal[]): number {
  const first = literals[0]!.literal;
  let length = 0;
  // Behind the end of the shortest stands NaN, which equals nothing.
  const goesOn = ({ literal }: Literal): boolean => literal.charCodeAt(length) === first.charCodeAt(length);
  while (literals.every(goesOn)) length++;
  return length;
}

/**
 * A table while it is made.
 *
 * PERF: `for…of` makes an object a step until it is optimized, which building never is in a cold start (`bench/cold`).
 */
class Packed<L extends Literal> {
  readonly forks: number[] = [];
  readonly literals: L[] = [];

  /** Adds a fork by the characters at a position, and all that it leads to. @returns the link to it. */
  branch(literals: readonly L[], position: number, own: number, linkOf: (group: readonly L[]) => number): number {
    const keyOf = ({ literal }: L): number => literal.charCodeAt(position);
    return this.fork(literals, keyOf, (base, width) => [(position << 14) | (base << 7) | width, own], linkOf);
  }

  /** Adds a fork by any number. */
  fork(
    literals: readonly L[],
    keyOf: (literal: L) => number,
    headOf: (base: number, width: number) => [number, number],
    linkOf: (group: readonly L[]) => number,
  ): number {
    const groups = new Map<number, L[]>();
    literals.forEach((literal) => {
      const key = keyOf(literal);
      if (!groups.get(key)?.push(literal)) groups.set(key, [literal]);
    });
    const base = Math.min(...groups.keys());
    const width = Math.max(...groups.keys()) - base + 1;
    const at = this.forks.push(...headOf(base, width));
    for (let key = 0; key < width; key++) this.forks.push(0);
    groups.forEach((group, key) => (this.forks[at + key - base] = linkOf(group)));
    return at - 2;
  }
}
