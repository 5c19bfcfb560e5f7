import { Middleware } from "../core/middleware.ts";
import type { ReceivedRequest } from "../core/params.ts";
import type { MiddlewareClass } from "../core/target.ts";
import { formatRateLimit, formatRateLimitPolicy, largestInteger } from "../fields/rate-limit.ts";
import { formatRetryAfter } from "../fields/retry-after.ts";
import { described } from "../http/described.ts";
import { givenOf, ownOf } from "../http/given.ts";
import { HTTPError } from "../http/http-error.ts";
import { Status } from "../http/status.ts";
import { clientNetworkOf, type ClientAddressOptions } from "./client-address.ts";
import type { Fields } from "./fields.ts";
import { OptionCheck } from "../http/option-check.ts";
import { keptFields, respondWith } from "./response-fields.ts";

/** What is needed of a limiter: those of `rate-limiter-flexible` have it, whatever their store. */
export interface Limiter {
  /** Takes one point of a client's; rejects with the same when none was left. */
  consume(key: string): Promise<Consumption>;
  /** How many points a client has in a window. */
  readonly points?: number;
  /** The window, in seconds. */
  readonly duration?: number;
}

/** What a limiter says of a client. */
export interface Consumption {
  /** How many requests the client may still send in the window; infinitely many, if nothing bounds them. */
  readonly remainingPoints: number;
  /** The milliseconds until the window ends; negative or infinite when it never does. */
  readonly msBeforeNext: number;
}

/** What `rateLimit()` takes. */
export interface RateLimitOptions<Input extends object = ReceivedRequest> extends ClientAddressOptions<Input> {
  /** Keeps count; shared by all resources, and by all processes that share its store. */
  readonly limiter: Limiter;
  /** Names who is counted as one; unless given, the address of the client. */
  readonly key?: (input: Input) => string | Promise<string>;
  /** What `RateLimit` and `RateLimit-Policy` call the limit: `default` unless given. */
  readonly name?: string;
  /** How many requests a client has in a window: unless given, the `points` of the limiter. */
  readonly quota?: number;
  /** The window, in seconds: unless given, the `duration` of the limiter. */
  readonly windowSeconds?: number;
}

const known: readonly (keyof RateLimitOptions)[] = [
  "limiter",
  "key",
  "name",
  "quota",
  "windowSeconds",
  "address",
  "trustedHops",
  "forwardedField",
];

/**
 * Makes middleware that answers 429 to clients that ask too often (RFC 6585 §4), counted by `rate-limiter-flexible`.
 *
 * Every response, errors included, has `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11); that of
 * a client that asked too often has `Retry-After` too. When the store fails, so does the request, unless the limiter has an
 * `insuranceLimiter`.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * import { RateLimiterMemory } from "rate-limiter-flexible";
 *
 * const limiter = new RateLimiterMemory({ points: 100, duration: 60 });
 * const app = Application.builder()
 *   .middleware(rateLimit({ limiter, key: (request) => request.headers.get("X-Client") ?? "nobody" }))
 *   .build();
 * const { headers } = await app.fetch(new Request("http://localhost/"));
 * console.log(headers.get("RateLimit-Policy")); // "default";q=100;w=60
 * ```
 */
export function rateLimit<Input extends object = ReceivedRequest>(options: RateLimitOptions<Input>): MiddlewareClass {
  const given = checked(options);
  const { limiter, key = (input: Input) => clientNetworkOf(input, given) } = given;
  const { name = "default", quota = 0, windowSeconds = 0 } = given;
  const policy = formatRateLimitPolicy([{ name, quota, ...(windowSeconds > 0 && { windowSeconds }) }]);

  async function consume(input: Input): Promise<Consumption & { readonly isOver: boolean }> {
    const client: unknown = await key(input);
    // What is missing would make one client of all whom it is missing for.
    if (typeof client !== "string" || client === "") {
      throw new TypeError(`Cannot limit the rate: expected a text from "key", got ${described(client)}`);
    }
    let consumed: unknown;
    let isOver = false;
    try {
      consumed = await limiter.consume(client);
    } catch (reason) {
      // Anything else is a failure of the store.
      if (!isConsumption(reason)) throw reason;
      consumed = reason;
      isOver = true;
    }
    if (isConsumption(consumed)) return { ...counts(consumed), isOver };
    throw new TypeError(
      `Cannot limit the rate: expected remainingPoints and msBeforeNext from consume(), got ${described(consumed)}`,
    );
  }

  return class RateLimit extends Middleware {
    async ALL(input: Input): Promise<unknown> {
      const { isOver, remainingPoints, msBeforeNext } = await consume(input);
      const seconds = secondsOf(msBeforeNext);
      const limit = formatRateLimit([
        { name, available: remainingPoints, ...(seconds !== undefined && { windowSeconds: seconds }) },
      ]);
      const add = (fields: Fields): void => {
        fields.add("RateLimit-Policy", policy);
        fields.add("RateLimit", limit);
      };
      if (!isOver) return respondWith(this, input, add);

      add(keptFields(this, input));
      // A window that never ends gives no time to come back at.
      const headers: HeadersInit = seconds === undefined ? {} : { "Retry-After": formatRetryAfter(seconds) };
      throw new HTTPError(Status.TooManyRequests, undefined, { headers });
    }
  };
}

function checked<Input extends object>(passed: RateLimitOptions<Input>): RateLimitOptions<Input> {
  const check = new OptionCheck("rateLimit", passed, known);
  const { options } = check;
  const { limiter, key, name, address, trustedHops, forwardedField } = options;
  const hasConsume = typeof (limiter as Partial<Limiter> | null | undefined)?.consume === "function";
  check.require(hasConsume, "limiter", "an object with a method consume()", limiter);
  check.function("key", key);
  check.printable("name", name);
  const { points = null, duration } = givenOf(limiter, ["points", "duration"]);
  const { quota = points, windowSeconds = duration } = options;
  check.count("quota", quota);
  check.count("windowSeconds", windowSeconds);
  for (const [option, number] of Object.entries({ quota, windowSeconds })) {
    check.require((number ?? 0) <= largestInteger, option, "a number of at most 15 digits", number);
  }
  const isAddress = address === undefined || typeof address === "function" || typeof address?.find === "function";
  check.require(isAddress, "address", "an Attribute or a function", address);
  check.count("trustedHops", trustedHops);
  const isField =
    forwardedField === undefined || forwardedField === "X-Forwarded-For" || forwardedField === "Forwarded";
  check.require(isField, "forwardedField", '"X-Forwarded-For" or "Forwarded"', forwardedField);
  const isRead = forwardedField === undefined || key !== undefined || (trustedHops ?? 0) > 0;
  check.require(isRead, "trustedHops", 'at least 1 where "forwardedField" is given', trustedHops);
  for (const option of ["address", "trustedHops", "forwardedField"] as const) {
    check.require(
      key === undefined || options[option] === undefined,
      option,
      'absent where "key" is given',
      options[option],
    );
  }
  return ownOf({ ...options, quota: quota!, windowSeconds: windowSeconds ?? 0 });
}

function isConsumption(value: unknown): value is Consumption {
  if (typeof value !== "object" || value === null) return false;
  const { remainingPoints, msBeforeNext } = givenOf(value as Consumption, ["remainingPoints", "msBeforeNext"]);
  return typeof remainingPoints === "number" && typeof msBeforeNext === "number";
}

// They may be getters, which a copy by spreading would lose.
function counts({ remainingPoints, msBeforeNext }: Consumption): Consumption {
  return { remainingPoints: Math.max(0, upToLargest(Math.floor(remainingPoints))), msBeforeNext };
}

/** Nothing where the window never ends. */
function secondsOf(ms: number): number | undefined {
  return ms >= 0 && Number.isFinite(ms) ? upToLargest(Math.ceil(ms / 1000)) : undefined;
}

// A limiter that bounds nothing, such as one around a list of those let through, says so by more than a field can carry.
function upToLargest(count: number): number {
  return Math.min(count, largestInteger);
}
