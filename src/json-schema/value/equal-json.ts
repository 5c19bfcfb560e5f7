/** Returns whether two values of JSON are equal (RFC 6902 §4.6): the order of members does not matter. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isEqualJson((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
    )
  );
}
