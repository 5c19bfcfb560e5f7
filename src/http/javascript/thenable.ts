export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof (value as { then?: unknown }).then === "function";
}

/**
 * Goes on with what a step gave: at once, or when the Promise that it gave fulfills.
 *
 * Of a request whose schemas and handler are synchronous, no step waits.
 */
export function after<Value, Next>(
  given: Value | PromiseLike<Value>,
  goOn: (value: Value) => Next,
): Next | Promise<Awaited<Next>> {
  return isThenable(given) ? (Promise.resolve(given).then(goOn) as Promise<Awaited<Next>>) : goOn(given);
}
