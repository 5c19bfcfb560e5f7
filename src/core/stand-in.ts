const originals = new WeakMap<object, object>();

/**
 * Has an input that middleware passes to `next()` stand in for the one that came in, also after an `await`: it belongs to the
 * same call, and attributes that are set for either are those of both.
 */
export function standIn(replacement: object, original: object): void {
  originals.set(replacement, originalOf(original));
}

/** The input that came in, for one that stands in for it; any other input is its own. */
export function originalOf(input: object): object {
  return originals.get(input) ?? input;
}
