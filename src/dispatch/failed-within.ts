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

/** Returns how to act where a request failed last; null if no middleware was around it. */
export function withinFailure(input: object): Within | null {
  return failures.get(input)?.within ?? null;
}

/** Acts where a request failed last; at once, if no middleware was around it. */
export function whereFailed<Result>(input: object, act: () => Result): Result {
  const within = withinFailure(input);
  return within === null ? act() : within(act);
}
