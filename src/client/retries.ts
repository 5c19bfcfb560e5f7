import type { Layer } from "./around.ts";
import { parseRetryAfter } from "../fields/retry-after.ts";
import { longestTimerMs, OptionCheck } from "../http/javascript/option-check.ts";
import { isRepeatable } from "./repeatable.ts";
import { wait } from "./wait.ts";

/** Options of `retries()`. */
export interface RetriesOptions {
  /** Maximum number of retries of a request. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** The first wait in milliseconds; each further one is twice as long, with jitter. Default: 200. */
  readonly firstDelayMs?: number | undefined;
  /** Maximum wait in milliseconds. Where `Retry-After` asks for more, the answer is the result. Default: 10,000. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * Sends requests again when the network fails, or the server answers 429, 502, 503 or 504. Put it into `around()`.
 *
 * Only methods that are idempotent are sent again (RFC 9110 §9.2.2): GET, HEAD, OPTIONS, TRACE, PUT, DELETE, and QUERY.
 * Others are if the request has an `Idempotency-Key`, by which the server recognizes it. With a key, 409 that has
 * `Retry-After` is sent again, too: the first request is under way.
 * `Retry-After` sets the wait, if it has whole seconds or a date. An aborted signal ends it.
 *
 * @throws {TypeError} when an option is wrong.
 * @throws {DOMException} when the signal of the request aborts.
 * @throws {TypeError} when the network failed the last time, too.
 * @example
 * ```ts
 * class Flaky extends Resource {
 *   paths = ["/flaky"] as const;
 *   #asked = 0;
 *
 *   static GET = { 200: text(), 503: "Try again" };
 *   GET() {
 *     return ++this.#asked === 1 ? reply(503) : "Hello";
 *   }
 * }
 * const app = Application.builder().resources(Flaky).build();
 *
 * const fetch = around(retries({ firstDelayMs: 10 }), (request) => app.fetch(request));
 * const api = client<typeof app>("http://localhost", { fetch });
 * console.log((await api["/flaky"].GET()).content); // Hello
 * ```
 */
export function retries(options: RetriesOptions = {}): Layer {
  const check = new OptionCheck("retries", options, ["maxRetries", "firstDelayMs", "maxDelayMs"]);
  const { maxRetries = 2, firstDelayMs = 200, maxDelayMs = 10_000 } = check.options;
  check.count("maxRetries");
  for (const [option, ms] of Object.entries({ firstDelayMs, maxDelayMs })) {
    const isWait = typeof ms === "number" && ms >= 0 && ms <= longestTimerMs;
    check.require(isWait, option, `a number of milliseconds up to ${longestTimerMs}`, ms);
  }
  return async (request, next) => {
    if (!isRepeatable(request.method, request.headers)) return next(request);
    for (let tried = 0; ; tried++) {
      const isLast = tried >= maxRetries;
      const outcome = await next(isLast ? request : request.clone()).catch((error: unknown) => new Failure(error));
      request.signal.throwIfAborted();
      if (outcome instanceof Failure) {
        if (isLast) throw outcome.reason;
      } else if (isLast || !mayPass(outcome, request)) return outcome;
      const asked = outcome instanceof Failure ? null : parseRetryAfter(outcome.headers.get("retry-after") ?? "");
      if (asked !== null && asked > maxDelayMs) return outcome as Response;
      if (!(outcome instanceof Failure)) await outcome.body?.cancel();
      const jittered = Math.min(firstDelayMs * 2 ** tried, maxDelayMs) * (0.5 + Math.random() / 2);
      await wait(asked ?? jittered, request.signal);
    }
  };
}

/** Statuses of faults that may pass. After 500 and others the same answer comes again. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** A first request with the same key may be under way. */
function mayPass({ status, headers }: Response, request: Request): boolean {
  return (
    passing.has(status) || (status === 409 && headers.has("retry-after") && request.headers.has("idempotency-key"))
  );
}

class Failure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}
