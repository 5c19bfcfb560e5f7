import type { PathPattern } from "../pattern/path-pattern.ts";
import type { PathParam, PathSegment } from "../pattern/path-segment.ts";
import { isEmptiable } from "../pattern/precedence.ts";

/**
 * The facts that paths of one terminal share: which params they have and how these were taken. PERF: terminals share
 * signatures, so that each takes half, 56 bytes instead of 112 (`node bench/build.js`).
 */
export interface Signature {
  /** The names of all params of the pattern, in order. */
  readonly names: readonly string[];
  /**
   * How many params are taken before an expression, if there is one. Optional params that the path lacks do not count.
   */
  readonly taken: number;
  /** The capture groups of an expression, in the order of the names that follow. */
  readonly groups: readonly number[];
  readonly proof: Proof;
  /** Whether the terminal ends in a rest of zero segments, which must not swallow a trailing slash. */
  readonly isEmptyRest: boolean;
  /** Whether the last param of the pattern is a rest whose text may be empty. */
  readonly mayBeEmpty: boolean;
  /** Whether the pattern sees a trailing slash of the path. */
  readonly isOpen: boolean;
}

/**
 * How much a match by a terminal proves about the path before the path is searched:
 *
 * - 2: it is canonical, because every path may hold the characters of all values unescaped;
 * - 1: it has no dot segments, because segments and rests never take any;
 * - 0: nothing.
 *
 * Only for four params at most, for which a match allocates nothing besides.
 */
export type Proof = 0 | 1 | 2;

// Letters, digits, "_" and "-". Both ends of a range are of one kind, or it would have others in between.
const harmless = /^(?:\\[dw]|\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\\[dw]|\w)+-?\])\+$/;

/** Returns the signature of a terminal of one pattern. */
export type SignatureOf = (count: number, groups?: readonly number[], isEmptyRest?: boolean) => Signature;

/** The signatures of patterns with the same params, each once. */
export interface SignaturesOfNames {
  readonly names: readonly string[];
  /** By the groups that hold params, how many params the path has, and whether it ends in a rest of zero segments. */
  readonly kept: Map<string, Signature>;
}

/** Keeps each signature once. Costs O(n) for a pattern with n params, and then O(1) for each of its terminals. */
export function signaturesOf(
  kept: Map<string, SignaturesOfNames>,
  { names, segments, isOpen }: PathPattern,
): SignatureOf {
  const mayBeEmpty = isEmptiable(segments.at(-1));
  const proof = names.length > 4 ? 0 : segments.reduce<Proof>(proofOf, 2);
  const key = [...names, proof, mayBeEmpty, isOpen].join(" ");
  let ofNames = kept.get(key);
  if (ofNames === undefined) kept.set(key, (ofNames = { names: names.map(internalized), kept: new Map() }));
  return (count, groups = [], isEmptyRest = false) => {
    const taken = count - groups.length;
    const form = [groups, taken, isEmptyRest].join(" ");
    let signature = ofNames.kept.get(form);
    if (signature === undefined) {
      signature = { names: ofNames.names, taken, groups, proof, isEmptyRest, mayBeEmpty, isOpen };
      ofNames.kept.set(form, signature);
    }
    return signature;
  };
}

/** Returns what a match proves about one more segment and those before it. */
function proofOf(
  before: Proof,
  { kind, pieces: [first] }: PathSegment,
  at: number,
  { length }: readonly PathSegment[],
): Proof {
  if (kind === "static") return before;
  // An expression finds where a rest before the last segment ends, and takes dot segments.
  if (kind === "param" || (kind === "rest" && at === length - 1)) return before && 1;
  return kind === "constrained" && harmless.test((first as PathParam).expression!) ? before : 0;
}

/** V8 compares a string that was a key by identity with the constant that a value is read by. */
function internalized(name: string): string {
  return Object.keys({ [name]: 0 })[0]!;
}
