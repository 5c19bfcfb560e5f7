import { isThenable } from "../../http/javascript/thenable.ts";

/**
 * Goes on with what a step gave: at once, or when the Promise that it gave fulfills.
 *
 * PERF: of a request whose schemas and handler are synchronous, no step waits (`bench/requests`, R1).
 */
export function after<Value, Next>(
  given: Value | PromiseLike<Value>,
  goOn: (value: Value) => Next,
): Next | Promise<Next> {
  return isThenable(given) ? Promise.resolve(given).then(goOn) : goOn(given);
}
