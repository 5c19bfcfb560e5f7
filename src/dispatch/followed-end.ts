import { originalOf } from "./input-exchange.ts";

/**
 * Calls a function when something of a request has ended, such as its session. Returns a function that stops that.
 */
export type Follow = (end: () => void) => () => void;

/** By the request that came in: what a connection that it begins must not outlast. */
const follows = new WeakMap<object, readonly Follow[]>();

/** Ends a connection that a request begins when something else has ended. */
export function endWith(input: object, follow: Follow): void {
  const request = originalOf(input);
  follows.set(request, [...followsOf(request), follow]);
}

/** Lists what a connection that a request begins must not outlast. */
export function followsOf(input: object): readonly Follow[] {
  return follows.get(originalOf(input)) ?? [];
}
