import type { PathPattern } from "./path-pattern.ts";

/** Where a pattern ends: what it leads to, and how many of its params a path that ends here has. */
export class Leaf<T> {
  /** The pattern as it was written. */
  readonly source: string;
  readonly value: T;
  /** The names of all params of the pattern, in order. */
  readonly names: readonly string[];
  readonly count: number;
  /** The number of params before an expression; those from there on are capture groups, with these numbers. */
  readonly firstGroup: number;
  readonly groups: readonly number[];
  /** Whether it is a rest of no segments, which must not swallow a trailing slash. */
  readonly isEmptyRest: boolean;
  /** Whether the text of its last param, a rest, may be empty. */
  readonly mayBeEmpty: boolean;
  /** Whether its last param is a rest, which may take several segments. */
  readonly endsInRest: boolean;
  /** Whether it sees a slash at the end of the path (C4.7). */
  readonly isOpen: boolean;
  /** The match of a path that has no params: always the same, so that it is made once. */
  fixed: PathMatch<T> | null = null;

  constructor(pattern: PathPattern, value: T, count: number, groups: readonly number[], isEmptyRest: boolean = false) {
    this.source = pattern.source;
    this.value = value;
    this.names = pattern.names;
    this.count = count;
    this.firstGroup = count - groups.length;
    this.groups = groups;
    this.isEmptyRest = isEmptyRest;
    const last = pattern.segments.at(-1);
    this.mayBeEmpty = last?.isOptional === true;
    this.endsInRest = last?.kind === "rest" && count === pattern.names.length;
    this.isOpen = pattern.isOpen;
  }

  /** Matches a path that has no params. */
  match(): PathMatch<T> {
    return (this.fixed ??= new PathMatch<T>(this, "", noCaptures, null, false));
  }
}

const noCaptures = new Int32Array(8);

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
  declare private readonly from0: number;
  declare private readonly to0: number;
  declare private readonly from1: number;
  declare private readonly to1: number;
  declare private readonly from2: number;
  declare private readonly to2: number;
  declare private readonly from3: number;
  declare private readonly to3: number;
  /** The bounds of all values, where there are more than four. */
  declare private readonly bounds: Int32Array | null;
  declare private readonly groups: RegExpExecArray | null;
  declare private readonly hasEscapes: boolean;

  constructor(leaf: Leaf<T>, text: string, captures: Int32Array, groups: RegExpExecArray | null, hasEscapes: boolean) {
    this.leaf = leaf;
    this.text = text;
    this.from0 = captures[0]!;
    this.to0 = captures[1]!;
    this.from1 = captures[2]!;
    this.to1 = captures[3]!;
    this.from2 = captures[4]!;
    this.to2 = captures[5]!;
    this.from3 = captures[6]!;
    this.to3 = captures[7]!;
    this.bounds = leaf.firstGroup > 4 ? captures.slice(0, 2 * leaf.firstGroup) : null;
    this.groups = leaf.groups.length > 0 ? groups : null;
    this.hasEscapes = hasEscapes;
  }

  /** The pattern that matched, as it was written. */
  get source(): string {
    return this.leaf.source;
  }

  /** The names of all params of the pattern, in order. */
  get names(): readonly string[] {
    return this.leaf.names;
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
    const { names, count, firstGroup, groups } = this.leaf;
    for (let index = 0; index < count; index++) {
      if (names[index] !== name) continue;
      let text: string | undefined;
      if (index >= firstGroup) text = this.groups![groups[index - firstGroup]!];
      else if (index === 0) text = this.text.slice(this.from0, this.to0);
      else if (index === 1) text = this.text.slice(this.from1, this.to1);
      else if (index === 2) text = this.text.slice(this.from2, this.to2);
      else if (index === 3) text = this.text.slice(this.from3, this.to3);
      else text = this.text.slice(this.bounds![2 * index], this.bounds![2 * index + 1]);
      return this.hasEscapes && text?.includes("%") ? decodeURIComponent(text) : text;
    }
    return undefined;
  }
}
