export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof (value as { then?: unknown }).then === "function";
}

/**
 * Goes on with what a step gave: at once, or when the Promise that it gave fulfills.
 *
 * Of a request whose schemas and handler are synchronous, no step waits.
 *
 * @param own what the function gets besides, so that no closure is made for it where nothing waits.
 */
export function after<Value, Next, Own = undefined>(
  given: Value | PromiseLike<Value>,
  goOn: (value: Value, own: Own) => Next,
  own?: Own,
): Next | Promise<Awaited<Next>> {
  return isThenable(given) ? later(given, goOn, own as Own) : goOn(given, own as Own);
}

/** A function by itself, because V8 makes room for closures at the beginning of one. */
function later<Value, Next, Own>(
  given: PromiseLike<Value>,
  goOn: (value: Value, own: Own) => Next,
  own: Own,
): Promise<Awaited<Next>> {
  return Promise.resolve(given).then((value) => goOn(value, own)) as Promise<Awaited<Next>>;
}
