import { measuring } from "../http/javascript/measuring.ts";
import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { outages } from "../http/protocol/outages.ts";
import { print } from "./error-response.ts";
import { running } from "./runtime-host.ts";

/** The options of all that refuses requests rather than to let all of them wait. */
export interface LoadOptions {
  /** Requests that may be under way at once, until their response begins. Default: no limit. */
  readonly maxRequests?: number | undefined;
  /**
   * Delay of the event loop, in milliseconds, from which on requests are refused. Workers cannot measure one. Default:
   * no limit.
   */
  readonly maxLoopDelayMs?: number | undefined;
}

/** Returns whether a resource is answered whatever the load is: its class says so. */
export function isEssential(resource: object | null): boolean {
  return (resource?.constructor as { readonly essential?: unknown } | undefined)?.essential === true;
}

/** Time after which the event loop is asked whether it is late. */
const tickMs = 20;
/** Time without a refusal after which the load is over. */
const quietMs = 1_000;

/** The cause of each refusal. The console gets a line and a count of all, and none of each. */
const overload = { isTold: () => true };

/** Counts requests under way, and refuses what is too much. */
export class LoadLimit {
  readonly #who: string;
  readonly #maxRequests: number;
  readonly #maxLoopDelayMs: number;
  readonly #isFirst: (input: object) => boolean;
  #underWay = 0;
  /** When the timer should fire; 0 if none waits. */
  #dueAt = 0;
  #refused = 0;
  #refusedAt = 0;

  /** @param isFirst whether a request is answered whatever the load is: asked only where it would be refused. */
  constructor(
    who: string,
    { maxRequests = Infinity, maxLoopDelayMs = Infinity }: LoadOptions,
    isFirst: (input: object) => boolean,
  ) {
    outages.set(overload, overload as never);
    this.#who = who;
    this.#isFirst = isFirst;
    this.#maxRequests = maxRequests;
    this.#maxLoopDelayMs = maxLoopDelayMs;
  }

  /** Counts a request until `leave()`, or returns why it is refused. */
  enter(input: object): HTTPError | null {
    const isLate = this.#maxLoopDelayMs !== Infinity && running.host.isIsolate !== true && this.#isLate();
    const cause = this.#underWay >= this.#maxRequests ? "maxRequests" : isLate ? "maxLoopDelayMs" : null;
    if (cause === null || this.#isFirst(input)) {
      this.#underWay += 1;
      if (this.#refused > 0) this.#tellEnd();
      return null;
    }
    this.#tell(cause);
    return Object.assign(refusal(Status.ServiceUnavailable, undefined, { "retry-after": "1" }), { cause: overload });
  }

  leave(): void {
    this.#underWay -= 1;
  }

  #isLate(): boolean {
    const now = performance.now();
    if (this.#dueAt === 0) {
      this.#dueAt = now + tickMs;
      setTimeout(() => (this.#dueAt = 0), tickMs);
    }
    // A timer that is late shows at once that the loop is: what waits behind the request waits longer still.
    return now - this.#dueAt > this.#maxLoopDelayMs;
  }

  #tell(cause: keyof LoadOptions): void {
    measuring.measure?.("fingerpost.refused_requests", 1, { "error.type": cause });
    this.#refusedAt = performance.now();
    if (++this.#refused > 1) return;
    const limit = cause === "maxRequests" ? this.#maxRequests : this.#maxLoopDelayMs;
    print(`Overload: ${this.#who} answers 503, because of ${cause}: ${limit}; later refusals are counted`);
  }

  #tellEnd(): void {
    if (performance.now() - this.#refusedAt < quietMs) return;
    if (this.#refused > 1) print(`Overload is over: ${this.#who} refused ${this.#refused} requests`);
    this.#refused = 0;
  }
}
