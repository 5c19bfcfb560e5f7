import type { endAt } from "../http/javascript/end-at.ts";
import { originalOf } from "./input-exchange.ts";

/**
 * Calls a function when something of a request has ended, such as its session. Returns a function that stops that.
 * @param at waits for a date at which it ends in any case, and returns how to stop that. Default: a timer.
 */
export type Follow = (end: () => void, at?: typeof endAt) => () => void;

/** By the request that came in: what a connection that it begins must not outlast. */
const follows = new WeakMap<object, readonly Follow[]>();

/** Ends a connection that a request begins when something else has ended. */
export function endWith(input: object, follow: Follow): void {
  const request = originalOf(input);
  follows.set(request, [...followsOf(request), follow]);
}

export function followsOf(input: object): readonly Follow[] {
  return follows.get(originalOf(input)) ?? [];
}
