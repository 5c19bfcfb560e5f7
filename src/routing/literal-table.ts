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
interface Fork<T> {
  readonly position: number;
  readonly base: number;
  readonly children: readonly (Fork<T> | null)[];
  readonly literal: string;
  readonly value: T | null;
}

/** Literals that must equal the text to its end: found by length, then by the few characters that tell them apart. */
export class TailTable<T> {
  readonly #shortest: number;
  readonly #forks: readonly (Fork<T> | null)[];

  constructor(literals: ReadonlyMap<string, T>) {
    const { base, children } = grouped(
      literals.keys(),
      ({ length }) => length,
      (same) => decide(same, literals),
    );
    this.#shortest = base;
    this.#forks = children;
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
  const literal = literals[0]!;
  if (literals.length === 1) return { position: -1, base: 0, children: none, literal, value: values.get(literal)! };
  const position = bestPosition(literals);
  const { base, children } = grouped(
    literals,
    (one) => one.charCodeAt(position),
    (group) => decide(group, values),
  );
  return { position, base, children, literal: "", value: null };
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

/**
 * Literals that must begin the text, as a patricia tree: found by reading only the characters at which they part. A tree is
 * its topmost node; below a node, literals agree up to `position`, and `own` is the one that ends there.
 */
export interface PrefixTree<P extends Prefix> {
  readonly position: number;
  readonly own: P | null;
  readonly base: number;
  readonly children: readonly (PrefixTree<P> | null)[];
}

/** Makes a tree, and links each prefix to the next shorter one. */
export function prefixTreeOf<P extends Prefix>(prefixes: readonly P[], above: P | null = null): PrefixTree<P> {
  const position = commonLength(prefixes);
  const own = prefixes.find(({ literal }) => literal.length === position) ?? null;
  if (own !== null) own.shorter = above;
  const longer = prefixes.filter((prefix) => prefix !== own);
  if (longer.length === 0) return { position, own, base: 0, children: none };
  const { base, children } = grouped(
    longer,
    ({ literal }) => literal.charCodeAt(position),
    (group) => prefixTreeOf(group, own ?? above),
  );
  return { position, own, base, children };
}

/**
 * Finds the longest prefix that the text from `from` to `to` may begin with. It is not compared yet: whoever asks
 * compares it, and goes on to `shorter` where it does not stand or leads nowhere. All that stand are on that chain.
 */
export function descend<P extends Prefix>(tree: PrefixTree<P>, text: string, from: number, to: number): P | null {
  let longest: P | null = null;
  for (let node: PrefixTree<P> | null = tree; node !== null;) {
    if (from + node.position > to) break;
    if (node.own !== null) longest = node.own;
    const child: number = text.charCodeAt(from + node.position) - node.base;
    // Also false of NaN, behind the end of the text.
    if (!(child >= 0 && child < node.children.length)) break;
    node = node.children[child]!;
  }
  return longest;
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

/** Groups elements by a number, and makes an array of them, from the lowest number to the highest one in use. */
function grouped<E, N>(
  elements: Iterable<E>,
  keyOf: (element: E) => number,
  childOf: (group: E[]) => N,
): { base: number; children: (N | null)[] } {
  const groups = new Map<number, E[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  const base = Math.min(...groups.keys());
  const children = Array.from<N | null>({ length: Math.max(...groups.keys()) - base + 1 }).fill(null);
  for (const [key, group] of groups) children[key - base] = childOf(group);
  return { base, children };
}
