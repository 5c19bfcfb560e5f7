import { boundsOf } from "./path-match.ts";
import { standsAt } from "./literal-table.ts";
import type { PathSegment } from "../pattern/path-segment.ts";

/** Matches one affixed or constrained segment. Costs time linear in its length, apart from the user's expressions. */
export class SegmentMatcher {
  readonly #prefix: string;
  readonly #suffix: string;
  /** How many values a match takes. */
  declare readonly count: number;
  /** The literals between the params: always one less than there are params. */
  readonly #separators: readonly string[];
  readonly #tests: readonly (TextTest | null)[];
  /** The characters of the segment, if it is one param with a repeated class as its constraint. */
  declare readonly characters: Uint8Array | null;

  constructor({ pieces }: PathSegment) {
    const tests: (TextTest | null)[] = [];
    // The literals before each param, and after the last.
    const literals = [""];
    for (const piece of pieces) {
      if (typeof piece === "string") literals[tests.length] = piece;
      else literals[tests.push(piece.expression === null ? null : new TextTest(piece.expression))] = "";
    }
    this.#prefix = literals[0]!;
    this.#suffix = literals.at(-1)!;
    this.#separators = literals.slice(1, -1);
    this.count = tests.length;
    this.#tests = tests;
    this.characters = pieces.length === 1 ? this.#tests[0]!.characters : null;
  }

  /**
   * Splits the text from `from` to `to` at the literals. Writes the bounds of the values to `captures`, from `depth`
   * on. Each param takes the shortest text before the next literal, and the last one takes the rest. Expressions then
   * accept or refuse the values, so that nothing is tried twice.
   */
  match(text: string, from: number, to: number, captures: Int32Array, depth: number): boolean {
    const end = to - this.#suffix.length;
    let at = from + this.#prefix.length;
    if (at >= end) return false;
    if (!standsAt(text, this.#prefix, from)) return false;
    if (!standsAt(text, this.#suffix, end)) return false;
    const segment = this.#separators.length === 0 ? "" : text.slice(from, end);
    for (let index = 0; index < this.#tests.length; index++) {
      let until = end;
      let next = end;
      if (index < this.#separators.length) {
        const separator = this.#separators[index]!;
        const found = segment.indexOf(separator, at - from + 1);
        if (found < 0) return false;
        until = from + found;
        next = until + separator.length;
      }
      if (until === at) return false;
      const test = this.#tests[index]!;
      if (test !== null && !test.accepts(text, at, until)) return false;
      captures[depth++] = boundsOf(at, until);
      at = next;
    }
    return true;
  }
}

const characterClass = /^(?:\\[dw]|\[(?:[^\\\]^]|\\[dws.\-/])(?:[^\\\]]|\\[dws.\-/])*\])\+$/;

/** Tests whether an expression matches a part of one segment entirely. */
class TextTest {
  /** A repeated character class is looked up in a table, without a slice or an expression. */
  declare readonly characters: Uint8Array | null;
  readonly #expression!: RegExp;

  constructor(source: string) {
    this.characters = characterClass.test(source) ? charactersOf(source) : null;
    if (this.characters === null) this.#expression = new RegExp(`^(?:${source})$`);
  }

  accepts(text: string, from: number, to: number): boolean {
    if (this.characters !== null) return endOfRun(this.characters, text, from, to) === to;
    return this.#expression.test(text.slice(from, to));
  }
}

/** Returns where a run of some characters ends, from one position to another at most. */
export function endOfRun(characters: Uint8Array, text: string, from: number, to: number): number {
  let at = from;
  while (at < to && characters[text.charCodeAt(at)] === 1) at++;
  return at;
}

/** Returns a table by code: 1 for the ASCII characters of a class. The slash, at which segments end, is never in it. */
function charactersOf(source: string): Uint8Array {
  const one = new RegExp(`^(?!/)${source}$`);
  return Uint8Array.from({ length: 128 }, (_, code) => Number(one.test(String.fromCharCode(code))));
}
