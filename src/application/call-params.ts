import type { PathMatch } from "../routing/index/path-match.ts";
import type { Call, Calls } from "./layer.ts";
import { Params } from "../dispatch/params.ts";

/** Has the params of a call know it, where there are params. */
export let remember: (call: Call) => void;
/** Gives the call of an application that params were last used in; null for those without middleware, or of another one. */
export let callIn: (params: Params, calls: Calls) => Call | null;

/**
 * Params of a call with middleware, which know it: copied to another input, they tell what that was made for.
 *
 * PERF: not by a `WeakMap`, whose values would refer to their keys: V8 keeps such until it looks through the whole heap, ten times
 * as much of it (`tests/growth/clients.test.ts`).
 */
export class CallParams extends Params {
  readonly #calls: Calls;
  #call: Call | null = null;

  static {
    remember = (call) => {
      const { params } = call;
      if (params !== undefined && #call in params) params.#call = call;
    };
    callIn = (params, calls) => (#call in params && params.#calls === calls ? params.#call : null);
  }

  constructor(match: PathMatch<unknown>, url: string, calls: Calls) {
    super(match, url);
    this.#calls = calls;
  }
}
