import { isSignal } from "../http/javascript/any-realm.ts";
import { ownSignal } from "../http/javascript/any-signal.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { longestTimerMs, OptionCheck } from "../http/javascript/option-check.ts";
import { isStatus } from "../http/protocol/status-constant.ts";
import type { Status } from "../http/protocol/status.ts";
import { discardLate } from "./lib/late-result.ts";
import { replacedInput } from "../dispatch/replaced-input.ts";

/** Options of `timeout()`. */
export interface TimeoutOptions {
  /** How long what is wrapped may take to give a response, in milliseconds. */
  readonly timeoutMs: number;
  /** The status of the answer: 503 or 504, or its constant. Default: 503. */
  readonly status?: 503 | 504 | typeof Status.ServiceUnavailable | typeof Status.GatewayTimeout | undefined;
}

/**
 * Makes middleware that answers 503 or 504 when the handler takes too long (RFC 9110 §15.6.4, §15.6.5).
 *
 * The handler gets an input whose `signal` aborts at that moment, and when the client leaves. A handler that goes on is
 * not stopped; its result is dropped. If the client has left, the middleware throws the reason of the request's
 * `signal` instead of 503.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const group = ResourceGroup.builder()
 *   .middleware(timeout({ timeoutMs: 10_000 }))
 *   .build();
 * ```
 */
export function timeout(options: TimeoutOptions): MiddlewareClass {
  const check = new OptionCheck("timeout", options, ["timeoutMs", "status"]);
  const { timeoutMs, status: given = 503 } = check.options;
  const status = isStatus(given) ? given.status : given;
  const isDuration = typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs <= longestTimerMs;
  check.require(isDuration, "timeoutMs", `a number of milliseconds up to ${longestTimerMs}`);
  check.require(status === 503 || status === 504, "status", "503 or 504", given);

  return class Timeout extends Middleware {
    static readonly answers = { [status]: `No answer was there after ${timeoutMs} ms` };

    async ALL(input: object): Promise<unknown> {
      const late = new AbortController();
      const expired = new Promise<never>((_, reject) => {
        late.signal.addEventListener("abort", () => {
          // A client that has left gets no answer, and the server is not at fault.
          const client = signalOf(input);
          reject(client?.aborted === true ? client.reason : new HTTPError(status));
        });
      });
      const timer = setTimeout(() => late.abort(reasonOf(timeoutMs)), timeoutMs);
      try {
        const result = this.next(input, replacedInput(input, { signal: either(signalOf(input), late.signal) }));
        late.signal.addEventListener("abort", () => void discardLate(result));
        return await Promise.race([expired, result]);
      } finally {
        clearTimeout(timer);
      }
    }
  };
}

function reasonOf(timeoutMs: number): DOMException {
  return new DOMException(`The handler took longer than ${timeoutMs} ms`, "TimeoutError");
}

function signalOf(input: object): AbortSignal | null {
  const { signal } = input as { signal?: unknown };
  return isSignal(signal) ? signal : null;
}

function either(signal: AbortSignal | null, other: AbortSignal): AbortSignal {
  return signal === null ? other : AbortSignal.any([ownSignal(signal), other]);
}
