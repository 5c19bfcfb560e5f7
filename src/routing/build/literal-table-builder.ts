import { LiteralTables, type Literal, type Prefix } from "../index/literal-table.ts";

/**
 * Makes the tables of an index. Building never gets optimized in a cold start, where `for…of` allocates an object for
 * each step. So loops count.
 */
export class LiteralTablesBuilder<StaticEnd extends Literal, Beginning extends Prefix> {
  // 0 is never the place of a table or a fork.
  readonly #forks: number[] = [0];
  readonly #staticEnds: StaticEnd[] = [];
  readonly #prefixes: Beginning[] = [];

  /** Adds a table of static ends, two or more. @returns the place of the table. */
  addStaticEnds(staticEnds: readonly StaticEnd[]): number {
    const decide = (same: readonly StaticEnd[]): number =>
      same.length === 1 ? -this.#staticEnds.push(same[0]!) : this.#fork(same, bestPosition(same), 0, decide);
    return this.#fork(staticEnds, byLength, 0, decide);
  }

  /**
   * Adds a table of prefixes, two or more, as a patricia tree. Links each prefix to the next shorter one as well.
   * @returns the place of the table.
   */
  addPrefixes(prefixes: readonly Beginning[]): number {
    const part = (group: readonly Beginning[], above: Beginning | null, from: number): number => {
      const position = commonLength(group, from);
      const own = group.find(({ literal }) => literal.length === position);
      if (own === undefined) return this.#fork(group, position, 0, (some) => part(some, above, position + 1));
      own.shorter = above;
      const link = -this.#prefixes.push(own);
      const longer = group.filter((prefix) => prefix !== own);
      return longer.length === 0 ? link : this.#fork(longer, position, link, (some) => part(some, own, position + 1));
    };
    return part(prefixes, null, 0);
  }

  /** Makes the tables. Do not use the builder afterwards. */
  build(): LiteralTables<StaticEnd, Beginning> {
    return new LiteralTables(Int32Array.from(this.#forks), this.#staticEnds, this.#prefixes);
  }

  /**
   * Adds a fork by the characters at a position, or by length, and everything that the fork leads to. @returns the link
   * to the fork.
   */
  #fork<L extends Literal>(
    literals: readonly L[],
    position: number,
    own: number,
    linkOf: (group: readonly L[]) => number,
  ): number {
    const forks = this.#forks;
    const groups = new Map<number, L[]>();
    literals.forEach((one) => {
      const key = position === byLength ? one.literal.length : one.literal.charCodeAt(position);
      if (!groups.get(key)?.push(one)) groups.set(key, [one]);
    });
    const base = Math.min(...groups.keys());
    const width = Math.max(...groups.keys()) - base + 1;
    const at =
      position === byLength ? forks.push(base, width) : forks.push((position << 14) | (base << 7) | width, own);
    for (let key = 0; key < width; key++) forks.push(0);
    groups.forEach((group, key) => (forks[at + key - base] = linkOf(group)));
    return at - 2;
  }
}

/** Replaces a position: this fork is by the lengths of the literals. */
const byLength = -1;

/**
 * Finds the position whose largest group of equal characters is smallest, so that the fewest questions separate the
 * literals.
 */
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

/** How many characters all have in common, of which `length` are known. */
function commonLength(literals: readonly Literal[], length: number): number {
  const first = literals[0]!.literal;
  // After the end of the shortest literal the code is NaN, which equals nothing.
  const goesOn = ({ literal }: Literal): boolean => literal.charCodeAt(length) === first.charCodeAt(length);
  while (literals.every(goesOn)) length++;
  return length;
}
