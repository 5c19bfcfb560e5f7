/** How many more members and entries may be looked at. */
export interface StepsLeft {
  steps: number;
}

/**
 * Returns whether two values of JSON are equal (RFC 6902 §4.6): the order of members does not matter.
 * @param left is charged a step for each member and entry, so that a caller can bound many comparisons together.
 */
export function isEqualJson(one: unknown, other: unknown, left: StepsLeft): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  const others = Object.keys(other);
  left.steps -= names.length + others.length;
  return (
    names.length === others.length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isEqualJson((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name], left),
    )
  );
}

/** Writes JSON whose text is the same for equal values: the members of objects are sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
