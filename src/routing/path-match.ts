import { endOf, startOf } from "./bounds.ts";
import type { Signature } from "./signature.ts";

/** Where a pattern ends, and what it leads to. */
export class Leaf<T> {
  /** The pattern as it was written. */
  readonly source: string;
  readonly value: T;
  readonly signature: Signature;
  /** The match of a path that has no params: always the same, so that it is made once. */
  fixed: PathMatch<T> | null = null;

  constructor(source: string, value: T, signature: Signature) {
    this.source = source;
    this.value = value;
    this.signature = signature;
  }

  /** Matches a path that has no params. */
  match(): PathMatch<T> {
    return (this.fixed ??= new PathMatch<T>(this, "", noCaptures, null, false));
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
  declare private readonly leaf: Leaf<T>;
  declare private readonly text: string;
  declare private readonly first: number;
  declare private readonly second: number;
  declare private readonly third: number;
  declare private readonly fourth: number;
  /** The bounds of all values, where there are more than four. */
  declare private readonly bounds: Int32Array | null;
  declare private readonly found: RegExpExecArray | null;
  declare private readonly hasEscapes: boolean;

  constructor(leaf: Leaf<T>, text: string, captures: Int32Array, found: RegExpExecArray | null, hasEscapes: boolean) {
    this.leaf = leaf;
    this.text = text;
    this.first = captures[0]!;
    this.second = captures[1]!;
    this.third = captures[2]!;
    this.fourth = captures[3]!;
    const { taken, groups } = leaf.signature;
    this.bounds = taken > 4 ? captures.slice(0, taken) : null;
    this.found = groups.length > 0 ? found : null;
    this.hasEscapes = hasEscapes;
  }

  /** The pattern that matched, as it was written. */
  get source(): string {
    return this.leaf.source;
  }

  /** The names of all params of the pattern, in order. */
  get names(): readonly string[] {
    return this.leaf.signature.names;
  }

  /** What the pattern leads to. */
  get value(): T {
    return this.leaf.value;
  }

  /** Whether no value was taken from the path; such a match is the same object each time. */
  get isFixed(): boolean {
    return this.leaf.fixed === this;
  }

  /**
   * The value of a param, percent-decoded once as UTF-8; `undefined` if the path does not have it or the pattern does not.
   *
   * @throws {URIError} when the text is not valid percent-encoded UTF-8.
   */
  param(name: string): string | undefined {
    const { names, taken, groups } = this.leaf.signature;
    for (let index = 0; index < taken + groups.length; index++) {
      if (names[index] !== name) continue;
      let text: string | undefined;
      if (index >= taken) text = this.found![groups[index - taken]!];
      else {
        let bounds = this.first;
        if (index === 1) bounds = this.second;
        else if (index === 2) bounds = this.third;
        else if (index === 3) bounds = this.fourth;
        else if (index > 3) bounds = this.bounds![index]!;
        text = this.text.slice(startOf(bounds), endOf(bounds));
      }
      return this.hasEscapes && text?.includes("%") ? decodeURIComponent(text) : text;
    }
    return undefined;
  }
}
