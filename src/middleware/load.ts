import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { latestOf } from "../dispatch/input-exchange.ts";
import { isEssential, LoadLimit, type LoadOptions } from "../dispatch/load-limit.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { nextOf } from "./lib/response-fields.ts";

export type { LoadOptions } from "../dispatch/load-limit.ts";

/**
 * Makes middleware that refuses requests by 503 while too many are under way, or the event loop is late.
 *
 * A refused request costs little, because its content is not read, and `Retry-After` says when to come again. Requests
 * that are let in get their response in time. Resources with `static essential = true` are always let in. `serve()` of
 * `fingerpost/node` has the same options, and 500 as a default: use this on other servers.
 *
 * @throws {TypeError} when an option is wrong, or neither is given.
 * @example
 * ```ts
 * const app = Application.builder()
 *   .middleware(load({ maxRequests: 500 }))
 *   .build();
 * ```
 */
export function load(options: LoadOptions): MiddlewareClass {
  const check = new OptionCheck<LoadOptions>("load", options, ["maxRequests", "maxLoopDelayMs"]);
  check.positive("maxRequests", "maxLoopDelayMs");
  const { maxRequests, maxLoopDelayMs } = check.options;
  check.require((maxRequests ?? maxLoopDelayMs) !== undefined, "maxRequests", 'given, or "maxLoopDelayMs"');
  const limit = new LoadLimit("load()", check.options, isFirst);

  return class Load extends Middleware {
    static readonly answers = { 503: "The server has more requests than it can answer in time" };
    static {
      passing(this);
    }

    async ALL(input: object): Promise<unknown> {
      const refused = limit.enter(input);
      if (refused !== null) throw refused;
      try {
        return await nextOf(this, input);
      } finally {
        limit.leave();
      }
    }
  };
}

function isFirst(input: object): boolean {
  return isEssential(latestOf(input)?.mounted?.resource ?? null);
}
