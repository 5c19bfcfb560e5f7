import type { Proof, Signature } from "./signature.ts";

/** Where a pattern ends, and what it leads to. Fields that the constructor assigns are not defined before. */
export class Terminal<T> {
  /** The pattern as it was written. */
  declare readonly source: string;
  declare readonly value: T;
  declare readonly signature: Signature;
  /** PERF: of the signature, asked of each match (`bench/match`, hono). */
  declare readonly proof: Proof;
  /** The static text that the path ends with, after the last thing taken. */
  literal = "";
  /** The match of a path that has no params: always the same, so that it is made once. */
  fixed: PathMatch<T> | null = null;

  constructor(source: string, value: T, signature: Signature) {
    this.source = source;
    this.value = value;
    this.signature = signature;
    this.proof = signature.proof;
  }

  /** Matches a path that has no params. */
  match(): PathMatch<T> {
    return (this.fixed ??= new PathMatch<T>(this, "", noCaptures, null));
  }
}

const noCaptures = new Int32Array(4);

/**
 * A path pattern that matched, and where its values stand in the text. Values are cut out and decoded when they are read.
 *
 * PERF: the bounds of four values are properties, so that most matches need no array; and they are not private ones,
 * which V8 defines before it assigns them, nor is there a private method, which marks each instance: 6 % of a match
 * (`bench/match`).
 */
export class PathMatch<T> {
  declare private readonly terminal: Terminal<T>;
  declare private readonly text: string;
  declare private readonly first: number;
  declare private readonly second: number;
  declare private readonly third: number;
  declare private readonly fourth: number;
  declare private readonly more: More | null;

  constructor(terminal: Terminal<T>, text: string, captures: Int32Array, more: More | null) {
    this.terminal = terminal;
    this.text = text;
    this.first = captures[0]!;
    this.second = captures[1]!;
    this.third = captures[2]!;
    this.fourth = captures[3]!;
    this.more = more;
  }

  /** The pattern that matched, as it was written. */
  get source(): string {
    return this.terminal.source;
  }

  /** What the pattern leads to. */
  get value(): T {
    return this.terminal.value;
  }

  /** Whether no value was taken from the path; such a match is the same object each time. */
  get isFixed(): boolean {
    return this.terminal.fixed === this;
  }

  /**
   * The value of a param, percent-decoded once as UTF-8; `undefined` if the path does not have it or the pattern does not.
   * With `false` it is not decoded.
   *
   * PERF: written out, without a loop, and so too long for V8 to inline, which ends at 460 bytes of bytecode. Inlined, each
   * handler of a large table gets a copy for each value that it reads: 15 % more on GitHub's (`bench/match`, github-v3). An
   * absent one is told without a search for its name (optional-heavy).
   *
   * @throws {URIError} when the text is not valid percent-encoded UTF-8.
   */
  param(name: string, hasEscapes: boolean | undefined = this.more?.hasEscapes): string | undefined {
    const { names, taken, groups } = this.terminal.signature;
    if (taken > 0 && names[0] === name)
      return decoded(this.text.slice(startOf(this.first), endOf(this.first)), hasEscapes);
    if (taken > 1 && names[1] === name)
      return decoded(this.text.slice(startOf(this.second), endOf(this.second)), hasEscapes);
    if (taken > 2 && names[2] === name)
      return decoded(this.text.slice(startOf(this.third), endOf(this.third)), hasEscapes);
    if (taken > 3 && names[3] === name)
      return decoded(this.text.slice(startOf(this.fourth), endOf(this.fourth)), hasEscapes);
    // All that was taken has been asked for.
    if (taken <= 4 && groups.length === 0) return undefined;
    const index = names.indexOf(name);
    if (index < 0 || index >= taken + groups.length) return undefined;
    if (index >= taken) return decoded(this.more!.found![groups[index - taken]!], hasEscapes);
    return decoded(this.text.slice(startOf(this.more!.bounds![index]!), endOf(this.more!.bounds![index]!)), hasEscapes);
  }
}

/** What few matches have. */
interface More {
  /** The bounds of all values, where there are more than four. */
  readonly bounds: Int32Array | null;
  readonly found: RegExpExecArray | null;
  readonly hasEscapes: boolean;
}

function decoded(text: string | undefined, hasEscapes: boolean | undefined): string | undefined {
  return hasEscapes && text?.includes("%") ? decodeURIComponent(text) : text;
}

/*
 * Where a value stands in a text is one number.
 *
 * PERF: a match holds the bounds of four values and takes 80 bytes; with two numbers for each it would take 112 (`bench/bytes`).
 */

const bits = 14;

/** The longest text that values can be taken from, in characters. */
export const longestText: number = (1 << bits) - 1;

/** Packs the bounds of the text from one character up to another. */
export function boundsOf(from: number, to: number): number {
  return (from << bits) | to;
}

export function startOf(bounds: number): number {
  return bounds >> bits;
}

export function endOf(bounds: number): number {
  return bounds & longestText;
}
