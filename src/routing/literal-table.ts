// V8 and JavaScriptCore differ in which comparison of a substring is fast; both forms give the same answer.
const startsWithIsFast = "Bun" in globalThis;

/**
 * Tells whether `literal` stands in `text` at `from`.
 *
 * PERF: V8 compares a short slice, or finds a longer literal at once, two to four times faster than `startsWith` does it;
 * the last character is read first so that a search hardly ever runs on (`bench/match`).
 */
export function standsAt(text: string, literal: string, from: number): boolean {
  if (startsWithIsFast) return text.startsWith(literal, from);
  const length = literal.length;
  if (length === 1) return text.charCodeAt(from) === literal.charCodeAt(0);
  if (length <= 12) return text.slice(from, from + length) === literal;
  return text.charCodeAt(from + length - 1) === literal.charCodeAt(length - 1) && text.indexOf(literal, from) === from;
}

const none: readonly never[] = [];

/** One step of a decision: which child goes on is told by the character at `position`; at a leaf, `literal` is compared. */
class Fork<T> {
  position = -1;
  base = 0;
  children: readonly (Fork<T> | null)[] = none;
  literal = "";
  value: T | null = null;
}

/** Literals that must equal the text to its end: found by length, then by the few characters that tell them apart. */
export class TailTable<T> {
  readonly #shortest: number;
  readonly #forks: readonly (Fork<T> | null)[];

  constructor(literals: ReadonlyMap<string, T>) {
    const byLength = new Map<number, string[]>();
    for (const literal of literals.keys()) {
      const same = byLength.get(literal.length);
      if (same === undefined) byLength.set(literal.length, [literal]);
      else same.push(literal);
    }
    this.#shortest = Math.min(...byLength.keys());
    const forks = Array.from<Fork<T> | null>({ length: Math.max(...byLength.keys()) - this.#shortest + 1 }).fill(null);
    for (const [length, same] of byLength) forks[length - this.#shortest] = decide(same, literals);
    this.#forks = forks;
  }

  /** Finds what belongs to the literal that is the text from `from` to `to`. */
  find(text: string, from: number, to: number): T | null {
    const slot = to - from - this.#shortest;
    if (slot < 0 || slot >= this.#forks.length) return null;
    let fork = this.#forks[slot]!;
    while (fork !== null && fork.position >= 0) {
      const child = text.charCodeAt(from + fork.position) - fork.base;
      if (child < 0 || child >= fork.children.length) return null;
      fork = fork.children[child]!;
    }
    return fork !== null && standsAt(text, fork.literal, from) ? fork.value : null;
  }
}

function decide<T>(literals: readonly string[], values: ReadonlyMap<string, T>): Fork<T> {
  const fork = new Fork<T>();
  if (literals.length === 1) {
    fork.literal = literals[0]!;
    fork.value = values.get(fork.literal)!;
    return fork;
  }
  fork.position = bestPosition(literals);
  const groups = groupByCharacter(literals, fork.position, (literal) => literal);
  fork.base = Math.min(...groups.keys());
  fork.children = dense(groups, fork.base, (group) => decide(group, values));
  return fork;
}

/** The position whose largest group of equal characters is smallest: the fewest questions to tell the literals apart. */
function bestPosition(literals: readonly string[]): number {
  const count = new Uint32Array(128);
  let best = 0;
  let smallest = Infinity;
  for (let position = 0; position < literals[0]!.length; position++) {
    count.fill(0);
    let largest = 0;
    for (const literal of literals) largest = Math.max(largest, ++count[literal.charCodeAt(position) & 127]!);
    if (largest < smallest) {
      smallest = largest;
      best = position;
    }
  }
  return best;
}

/** A literal that a longer path begins with, linked to the next shorter one that it begins with itself. */
export interface Prefix {
  readonly literal: string;
  shorter: this | null;
}

/** A node of a patricia tree: below it, literals agree up to `position`; `own` is the one that ends there. */
interface PrefixNode<P> {
  readonly position: number;
  readonly own: P | null;
  readonly base: number;
  readonly children: readonly (PrefixNode<P> | null)[];
}

/** Literals that must begin the text: found by reading only the characters at which they part. */
export class PrefixTree<P extends Prefix> {
  readonly #root: PrefixNode<P>;

  /** Links each prefix to the next shorter one. */
  constructor(prefixes: readonly P[]) {
    this.#root = grow(prefixes, null);
  }

  /**
   * Finds the longest prefix that the text from `from` to `to` may begin with. It is not compared yet: whoever asks
   * compares it, and goes on to `shorter` where it does not stand or leads nowhere. All that stand are on that chain.
   */
  descend(text: string, from: number, to: number): P | null {
    let longest: P | null = null;
    for (let node: PrefixNode<P> | null = this.#root; node !== null;) {
      if (from + node.position > to) break;
      if (node.own !== null) longest = node.own;
      const child: number = text.charCodeAt(from + node.position) - node.base;
      // Also false of NaN, behind the end of the text.
      if (!(child >= 0 && child < node.children.length)) break;
      node = node.children[child]!;
    }
    return longest;
  }
}

function grow<P extends Prefix>(prefixes: readonly P[], above: P | null): PrefixNode<P> {
  const position = commonLength(prefixes);
  const own = prefixes.find(({ literal }) => literal.length === position) ?? null;
  if (own !== null) own.shorter = above;
  const longer = prefixes.filter((prefix) => prefix !== own);
  if (longer.length === 0) return { position, own, base: 0, children: none };
  const groups = groupByCharacter(longer, position, ({ literal }) => literal);
  const base = Math.min(...groups.keys());
  return { position, own, base, children: dense(groups, base, (group) => grow(group, own ?? above)) };
}

function commonLength(prefixes: readonly Prefix[]): number {
  const first = prefixes[0]!.literal;
  let length = first.length;
  for (const { literal } of prefixes) {
    let same = 0;
    while (same < length && literal.charCodeAt(same) === first.charCodeAt(same)) same++;
    length = same;
  }
  return length;
}

function groupByCharacter<E>(
  elements: readonly E[],
  position: number,
  literalOf: (element: E) => string,
): Map<number, E[]> {
  const groups = new Map<number, E[]>();
  for (const element of elements) {
    const character = literalOf(element).charCodeAt(position);
    const group = groups.get(character);
    if (group === undefined) groups.set(character, [element]);
    else group.push(element);
  }
  return groups;
}

/** Lays groups out as an array that is indexed by character: from the lowest to the highest one in use, not all 128. */
function dense<G, N>(groups: ReadonlyMap<number, G>, base: number, node: (group: G) => N): (N | null)[] {
  const children: (N | null)[] = Array.from<N | null>({ length: Math.max(...groups.keys()) - base + 1 }).fill(null);
  for (const [character, group] of groups) children[character - base] = node(group);
  return children;
}
