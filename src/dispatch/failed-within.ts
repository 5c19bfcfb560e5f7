import { capturedContext, type Within } from "../http/javascript/captured-context.ts";

const failures = new WeakMap<object, { readonly error: unknown; readonly within: Within }>();

/**
 * Notes the context in which a request failed. An error that is known stays: it comes from further in, where all stores
 * of what is further out are known.
 *
 * @param input the input that came in.
 */
export function noteFailure(input: object, error: unknown): void {
  const known = failures.get(input);
  if (known === undefined || known.error !== error) failures.set(input, { error, within: capturedContext() });
}

/** Acts where a request failed last; at once, if no middleware was around it. */
export function whereFailed<Result>(input: object, act: () => Result): Result {
  const known = failures.get(input);
  return known === undefined ? act() : known.within(act);
}
