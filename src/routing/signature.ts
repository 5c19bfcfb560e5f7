import type { PathPattern } from "./path-pattern.ts";
import { isEmptiable } from "./precedence.ts";

/**
 * What paths have in common that end at a leaf: which params they have and how they were taken.
 *
 * PERF: most patterns of a large table have the same few params. They share this: a leaf takes 56 bytes in place of 112, and
 * its names none of their own (`bench/build`, bytes a pattern).
 */
export interface Signature {
  /** The names of all params of the pattern, in order. */
  readonly names: readonly string[];
  /** How many of them are taken before an expression, if there is one; optional ones that the path lacks are not. */
  readonly taken: number;
  /** The capture groups of an expression, in the order of the names that follow. */
  readonly groups: readonly number[];
  /** Whether all that it takes are whole segments and rests, four at most. */
  readonly isSimple: boolean;
  /** Whether it is a rest of no segments, which must not swallow a trailing slash. */
  readonly isEmptyRest: boolean;
  /** Whether its last param is a rest whose text may be empty. */
  readonly mayBeEmpty: boolean;
  /** Whether it sees a slash at the end of the path (C4.7). */
  readonly isOpen: boolean;
}

/** Gives the signature of a leaf of one pattern. */
export type SignatureOf = (count: number, groups?: readonly number[], isEmptyRest?: boolean) => Signature;

/** Keeps each signature once: O(n) for a pattern with n params, and then O(1) for each of its leaves. */
export function signaturesOf(
  kept: Map<string, Map<string, Signature>>,
  { names, segments, isOpen }: PathPattern,
): SignatureOf {
  const key = names.join(" ");
  const ofNames = kept.get(key) ?? new Map<string, Signature>();
  kept.set(key, ofNames);
  const mayBeEmpty = isEmptiable(segments.at(-1));
  const isSimple =
    names.length <= 4 && segments.every(({ kind }) => kind === "static" || kind === "param" || kind === "rest");
  return (count, groups = [], isEmptyRest = false) => {
    const taken = count - groups.length;
    const form = [groups, taken, isSimple, isEmptyRest, mayBeEmpty, isOpen].join(" ");
    const signature = ofNames.get(form) ?? { names, taken, groups, isSimple, isEmptyRest, mayBeEmpty, isOpen };
    ofNames.set(form, signature);
    return signature;
  };
}
