import type { Proof, Signature } from "./signature.ts";

/** The end of a pattern, and the value that it leads to. Fields that the constructor assigns are not defined before. */
export class Terminal<T> {
  /** The pattern as it was written. */
  declare readonly source: string;
  declare readonly value: T;
  declare readonly signature: Signature;
  /** Copied from the signature, because each match reads it. */
  declare readonly proof: Proof;
  /** The static text that the path ends with, after the last thing taken. */
  literal = "";
  /** The match of a path without params. It is always the same, so it is made once. */
  fixed: PathMatch<T> | null = null;

  constructor(source: string, value: T, signature: Signature) {
    this.source = source;
    this.value = value;
    this.signature = signature;
    this.proof = signature.proof;
  }

  /** Matches a path without params. */
  match(): PathMatch<T> {
    return (this.fixed ??= new PathMatch<T>(this, "", noCaptures, null));
  }
}

const noCaptures = new Int32Array(4);

/**
 * A path pattern that matched, and the bounds of its values in the text. Values are cut out and decoded on first read.
 * PERF: the bounds of four values are properties, not an array and not private, which V8 would define first: 6 % of a
 * match (`node bench/match.js`).
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

  /** The value that the pattern leads to. */
  get value(): T {
    return this.terminal.value;
  }

  /** Whether no value was taken from the path. Such a match is the same object each time. */
  get isFixed(): boolean {
    return this.terminal.fixed === this;
  }

  /**
   * Returns the value of a param, percent-decoded once as UTF-8. Returns `undefined` if the path or the pattern does
   * not have it. With `false` the value is not decoded.
   * @throws {URIError} when the text is not valid percent-encoded UTF-8.
   */
  param(name: string, hasEscapes: boolean | undefined = this.more?.hasEscapes): string | undefined {
    const text = this.textOf(name);
    return hasEscapes && text?.includes("%") ? decodeURIComponent(text) : text;
  }

  /** The texts of all params of the pattern, not decoded. */
  get texts(): readonly (string | undefined)[] {
    return this.terminal.signature.names.map((name) => this.textOf(name));
  }

  /** Cuts the value of a param out of the text. An absent param takes no search for its name. */
  private textOf(name: string): string | undefined {
    const { names, taken, groups } = this.terminal.signature;
    let bounds: number;
    if (taken > 0 && names[0] === name) bounds = this.first;
    else if (taken > 1 && names[1] === name) bounds = this.second;
    else if (taken > 2 && names[2] === name) bounds = this.third;
    else if (taken > 3 && names[3] === name) bounds = this.fourth;
    else {
      // Everything that was taken has been checked.
      if (taken <= 4 && groups.length === 0) return undefined;
      const index = names.indexOf(name);
      if (index < 0 || index >= taken + groups.length) return undefined;
      if (index >= taken) return this.more!.found![groups[index - taken]!];
      bounds = this.more!.bounds![index]!;
    }
    return this.text.slice(bounds >> bits, bounds & longestText);
  }
}

/** Members that few matches have. */
interface More {
  /** The bounds of all values, if there are more than four. */
  readonly bounds: Int32Array | null;
  readonly found: RegExpExecArray | null;
  readonly hasEscapes: boolean;
}

/*
 * The place of a value in a text is one number.
 *
 * PERF: a match holds the bounds of four values in 80 bytes; with two numbers for each it would take 112
 * (`node bench/bytes.js`).
 */

const bits = 14;

/** The longest text that values can be taken from, in characters. */
export const longestText: number = (1 << bits) - 1;

/** Packs the bounds of the text between two positions into one number, which `textOf()` reads. */
export function boundsOf(from: number, to: number): number {
  return (from << bits) | to;
}
