/*
 * Where a value stands in a text, as one number: the bounds of four values are small integers in a match of 96 bytes.
 *
 * PERF: two numbers each made it 128, and took longer to write and to copy (`bench/bytes`, `bench/match`).
 */

const bits = 14;

/** The longest text that values can be taken from, in characters: also its last bound has to fit. */
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
