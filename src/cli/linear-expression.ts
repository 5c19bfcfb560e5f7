/** A repeated character or class. An expression of these only is plainly linear. */
interface Repeated {
  readonly atom: string;
  readonly least: number;
  readonly most: number;
}

type Sequence = readonly Repeated[];

/** How many ways through an expression there may be at any place of a string. */
const maxWays = 32;

const groupAt = /\((?:\?:|\?<[A-Za-z]\w*>|(?!\?))/y;
// Neither references nor \b, \B, \k and \p. Each quantifier repeats something, and no bracket is literal.
const atomAt =
  /\[(?:[^\]\\]|\\[^])*\]|\\(?:[dDwWsSfnrtv]|0(?!\d)|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|\W)|[^[\](){}*+?|^$\\]/y;
const quantifierAt = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

/**
 * Returns whether an expression plainly takes linear time. It must be anchored at both ends and consist of alternative
 * sequences. In them, only the last repetition may end where it might have gone on. If false, a checker may know
 * better.
 */
export function isPlainlyLinear(source: string): boolean {
  const sequences = source.startsWith("^") ? new Reader(source, 1).read("$") : null;
  return sequences !== null && sequences.every((sequence) => isLinear(sequence, sequences.length));
}

/** Reads an expression as all the sequences that it matches. */
class Reader {
  readonly #source: string;
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  /**
   * Reads up to the end, which a given string follows. Null when it has anything but characters, groups and choices.
   */
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

  /** Undefined if none is left. */
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
 * A repetition that cannot end where it might have gone on has only one end to try. Each other repetition multiplies
 * the ways to the rest by its maximum count, so only the last one may be unbounded.
 */
function isLinear(sequence: Sequence, choices: number): boolean {
  const last = sequence.findLastIndex(({ least, most }) => least < most);
  let ways = choices;
  for (const [index, { least, most }] of sequence.entries()) {
    if (least === most || hasOneEnd(sequence, index)) continue;
    // The rest after the last repetition is tried wherever that ends.
    const rest = sequence.slice(index + 1).reduce((sum, item) => sum + item.least, 0);
    ways *= index === last ? Math.max(1, rest) : most - least + 1;
  }
  return ways <= maxWays;
}

/** Returns whether the characters of a repetition can never come next: it must then take all of them. */
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

/** Returns which code units an atom matches. Tries them all, because that is how they are defined. */
function charactersOf(atom: string): readonly boolean[] {
  let found = characters.get(atom);
  if (found === undefined) {
    const one = new RegExp(`^${atom}$`);
    found = Array.from({ length: 0x10000 }, (_, code) => one.test(String.fromCharCode(code)));
    characters.set(atom, found);
  }
  return found;
}
