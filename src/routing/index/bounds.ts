/*
 * Where a value stands in a text, as one number.
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
