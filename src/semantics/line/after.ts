/**
 * Goes on with what a step gave: at once, or when the Promise that it gave fulfills.
 *
 * PERF: of a request whose schemas and handler are synchronous, no step waits (`bench/requests`, R1).
 */
export function after<Value, Next>(
  given: Value | PromiseLike<Value>,
  goOn: (value: Value) => Next,
): Next | Promise<Next> {
  return isPending(given) ? Promise.resolve(given).then(goOn) : goOn(given);
}

/** Returns whether a value is one that `await` waits for. */
export function isPending<Value>(given: Value | PromiseLike<Value>): given is PromiseLike<Value> {
  return typeof given === "object" && given !== null && typeof (given as { then?: unknown }).then === "function";
}
