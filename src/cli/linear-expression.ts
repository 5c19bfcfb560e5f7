/** A character or class, repeated: all that an expression may consist of that is plainly linear. */
interface Repeated {
  readonly atom: string;
  readonly least: number;
  readonly most: number;
}

type Sequence = readonly Repeated[];

/** How many ways through an expression there may be at any place of a text. */
const maxWays = 32;

const groupAt = /\((?:\?:|\?<[A-Za-z]\w*>|(?!\?))/y;
// Neither references nor \b, \B, \k and \p; no quantifier without what it repeats, and no bracket that stands for itself.
const atomAt =
  /\[(?:[^\]\\]|\\[^])*\]|\\(?:[dDwWsSfnrtv]|0(?!\d)|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|\W)|[^[\](){}*+?|^$\\]/y;
const quantifierAt = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

/**
 * Whether an expression plainly takes linear time. It is anchored at both ends and consists of sequences to choose from, in which
 * no repetition but the last can end where it might have gone on. If false, a checker may know better.
 */
export function isPlainlyLinear(source: string): boolean {
  const sequences = source.startsWith("^") ? new Reader(source, 1).read("$") : null;
  return sequences !== null && sequences.every((sequence) => isLinear(sequence, sequences.length));
}

/** Reads an expression as all the sequences that it stands for. */
class Reader {
  readonly #source: string;
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  /** Reads to the end, before which a text stands; null when there is more in it than characters, groups and choices. */
  read(end: string): Sequence[] | null {
    const sequences = this.#sequences();
    return this.#source.slice(this.#at) === end ? sequences : null;
  }

  #choices(): Sequence[] | null {
    let all = this.#sequences();
    while (all !== null && this.#source[this.#at] === "|") {
      this.#at++;
      const more = this.#sequences();
      all = more === null ? null : [...all, ...more];
    }
    return all;
  }

  /** Null also when there are too many. */
  #sequences(): Sequence[] | null {
    let all: Sequence[] = [[]];
    for (let next = this.#item(); next !== undefined; next = this.#item()) {
      if (next === null || all.length * next.length > maxWays) return null;
      const items = next;
      all = all.flatMap((sequence) => items.map((item) => [...sequence, ...item]));
    }
    return all;
  }

  /** Undefined where there is none. */
  #item(): Sequence[] | null | undefined {
    if (this.#take(groupAt) !== "") return this.#group();
    const atom = this.#take(atomAt);
    if (atom === "") return undefined;
    return [[{ atom, ...boundsOf(this.#take(quantifierAt)) }]];
  }

  #group(): Sequence[] | null {
    const choices = this.#choices();
    if (choices === null || this.#source[this.#at++] !== ")") return null;
    const quantifier = this.#take(quantifierAt);
    if (quantifier === "") return choices;
    return quantifier.startsWith("?") ? [...choices, []] : null;
  }

  #take(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}

function boundsOf(quantifier: string): { least: number; most: number } {
  if (quantifier === "") return { least: 1, most: 1 };
  if (quantifier.startsWith("?")) return { least: 0, most: 1 };
  if (quantifier.startsWith("*")) return { least: 0, most: Infinity };
  if (quantifier.startsWith("+")) return { least: 1, most: Infinity };
  const [least = "", most] = quantifier.slice(1, quantifier.indexOf("}")).split(",");
  return { least: Number(least), most: most === undefined ? Number(least) : Number(most || Infinity) };
}

/**
 * A repetition that cannot end where it might have gone on has one end that is worth a try. Each other one multiplies the ways to
 * what follows it by how often it may repeat, so only the last may do so without bound.
 */
function isLinear(sequence: Sequence, choices: number): boolean {
  const last = sequence.findLastIndex(({ least, most }) => least < most);
  let ways = choices;
  for (const [index, { least, most }] of sequence.entries()) {
    if (least === most || hasOneEnd(sequence, index)) continue;
    // What follows the last one is tried wherever it ends.
    const rest = sequence.slice(index + 1).reduce((sum, item) => sum + item.least, 0);
    ways *= index === last ? Math.max(1, rest) : most - least + 1;
  }
  return ways <= maxWays;
}

/** Whether what a repetition takes is nothing that may come next: it must take all there is of it. */
function hasOneEnd(sequence: Sequence, index: number): boolean {
  const own = charactersOf(sequence[index]!.atom);
  for (const { atom, least } of sequence.slice(index + 1)) {
    const next = charactersOf(atom);
    if (own.some((isOwn, code) => isOwn && next[code]!)) return false;
    if (least > 0) return true;
  }
  return true;
}

const characters = new Map<string, readonly boolean[]>();

/** Which code units an atom stands for: tried out, as that is how they are defined. */
function charactersOf(atom: string): readonly boolean[] {
  let found = characters.get(atom);
  if (found === undefined) {
    const one = new RegExp(`^${atom}$`);
    found = Array.from({ length: 0x10000 }, (_, code) => one.test(String.fromCharCode(code)));
    characters.set(atom, found);
  }
  return found;
}
