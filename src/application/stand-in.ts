const replaced = new WeakMap<object, object>();

/**
 * Has an input that middleware passes to `next()` stand in for the one that it was given, also after an `await`: it belongs to
 * the same call, and attributes that are set for either are those of both.
 */
export function standIn(replacement: object, input: object): void {
  replaced.set(replacement, input);
}

/** Finds what is held for the input that another one stands in for, or else for the one that this stands in for, and so on. */
export function nearest<T>(input: object, held: WeakMap<object, T>): T | undefined {
  const original = replaced.get(input);
  return original && (held.get(original) ?? nearest(original, held));
}

/** The input that came in, for one that stands in for it, or for another that does; any other input is its own. */
export function originalOf(input: object): object {
  const original = replaced.get(input);
  return original ? originalOf(original) : input;
}
