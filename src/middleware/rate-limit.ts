import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { reportLateError } from "../dispatch/late-error.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { formatRateLimit, formatRateLimitPolicy, largestInteger } from "../fields/rate-limit-fields.ts";
import { formatRetryAfter } from "../fields/retry-after.ts";
import { described } from "../http/javascript/described.ts";
import { propertiesOf, ownOf } from "../http/javascript/property.ts";
import { HTTPError, refusal } from "../http/protocol/http-error.ts";
import { limitedStore } from "../http/protocol/limited-store.ts";
import { storeTimeoutOf, type StoreTimeout } from "../http/protocol/store-timeout.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { Status } from "../http/protocol/status.ts";
import {
  checkClientAddress,
  clientAddressOptions,
  clientNetworkOf,
  type ClientAddressOptions,
} from "./lib/client-address.ts";
import type { Fields } from "./lib/fields.ts";
import { consume, type Limiter, type ServiceLeft } from "./lib/limiter.ts";
import { answerWithFields, keptFields, nextOf } from "./lib/response-fields.ts";

export type { Consumption, Limiter } from "./lib/limiter.ts";

/** Options of `rateLimit()`. */
export interface RateLimitOptions<Input extends object = ReceivedRequest>
  extends ClientAddressOptions<Input>, StoreTimeout {
  /** Keeps count; shared by all resources, and by all processes that share its store. */
  readonly limiter: Limiter;
  /** Returns the name under which a client is counted. Default: the address of the client. */
  readonly keyOf?: ((input: Input) => string | Promise<string>) | undefined;
  /** The name of the limit in `RateLimit` and `RateLimit-Policy`. Default: `default`. */
  readonly name?: string | undefined;
  /** Number of requests that a client may send in a window. Default: the `points` of the limiter. */
  readonly quota?: number | undefined;
  /** The window, in seconds. Default: the `duration` of the limiter. */
  readonly windowSeconds?: number | undefined;
  /**
   * Whether a request passes without being counted when the store fails or falls silent; `onError` is told. Default:
   * false, which gets 503 with `Retry-After`.
   */
  readonly passWithoutStore?: boolean | undefined;
}

const known: readonly (keyof RateLimitOptions)[] = [
  ...(["limiter", "keyOf", "name", "quota", "windowSeconds", "storeTimeoutMs", "passWithoutStore"] as const),
  ...clientAddressOptions,
];

/**
 * Makes middleware that answers 429 to clients that ask too often (RFC 6585 §4), counted by `rate-limiter-flexible`.
 *
 * Every response, errors included, has `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11). A
 * 429 also has `Retry-After`. When the store fails or falls silent, the client gets 503, unless the limiter has an
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
 *   .middleware(rateLimit({ limiter, keyOf: (request) => request.headers.get("X-Client") ?? "nobody" }))
 *   .build();
 * const { headers } = await app.request("/");
 * console.log(headers.get("RateLimit-Policy")); // "default";q=100;w=60
 * ```
 */
export function rateLimit<Input extends object = ReceivedRequest>(options: RateLimitOptions<Input>): MiddlewareClass {
  const given = checked(options);
  const { limiter, keyOf = (input: Input) => clientNetworkOf(input, given) } = given;
  const { name = "default", quota = 0, windowSeconds = 0, passWithoutStore = false } = given;
  const policy = formatRateLimitPolicy([{ name, quota, ...(windowSeconds > 0 && { windowSeconds }) }]);

  async function clientOf(input: Input): Promise<string> {
    const client: unknown = await keyOf(input);
    // Without a key, all such clients would count as one.
    if (typeof client === "string" && client !== "") return client;
    throw new TypeError(`Cannot limit the rate: expected a text from "keyOf", got ${described(client)}`);
  }

  return class RateLimit extends Middleware {
    static {
      passing(this);
    }

    static readonly answers = { 429: "The client has sent too many requests; Retry-After says when to come back" };

    async ALL(input: Input): Promise<unknown> {
      const client = await clientOf(input);
      let left: ServiceLeft;
      try {
        left = await consume(limiter, client);
      } catch (error) {
        if (!passWithoutStore || !(error instanceof HTTPError)) throw error;
        reportLateError(error, input);
        return nextOf(this, input);
      }
      const { isOver, available, windowSeconds: seconds } = left;
      const limit = formatRateLimit([{ name, available, ...(seconds !== undefined && { windowSeconds: seconds }) }]);
      const add = (fields: Fields): void => {
        fields.add("RateLimit-Policy", policy);
        fields.add("RateLimit", limit);
      };
      if (!isOver) return answerWithFields(this, input, add);

      add(keptFields(this, input));
      // A window that never ends has no time to retry at.
      const fields = seconds === undefined ? undefined : { "retry-after": formatRetryAfter(seconds) };
      throw refusal(Status.TooManyRequests, undefined, fields);
    }
  };
}

function checked<Input extends object>(passed: RateLimitOptions<Input>): RateLimitOptions<Input> {
  const check = new OptionCheck("rateLimit", passed, known);
  const { options } = check;
  const { limiter, keyOf, trustedHops, forwardedHeader } = options;
  const hasConsume = typeof (limiter as Partial<Limiter> | null | undefined)?.consume === "function";
  check.require(hasConsume, "limiter", "an object with a method consume()");
  check.function("keyOf");
  check.printable("name");
  check.boolean("passWithoutStore");
  const limited = limitedStore(limiter, ["consume"], storeTimeoutOf(check));
  const { points = null, duration } = propertiesOf(limiter, ["points", "duration"]);
  const { quota = points, windowSeconds = duration } = options;
  for (const [option, number] of Object.entries({ quota, windowSeconds })) {
    const isCount = number === undefined || (Number.isSafeInteger(number) && number! >= 0);
    check.require(isCount, option, "a whole number that is not negative", number);
    check.require((number ?? 0) <= largestInteger, option, "a number of at most 15 digits", number);
  }
  checkClientAddress(check);
  const isRead = forwardedHeader === undefined || keyOf !== undefined || (trustedHops ?? 0) > 0;
  check.require(isRead, "trustedHops", 'at least 1 where "forwardedHeader" is given');
  for (const option of clientAddressOptions) {
    const { [option]: value } = options;
    check.require(keyOf === undefined || value === undefined, option, 'absent where "keyOf" is given', value);
  }
  return ownOf({ ...options, limiter: limited, quota: quota!, windowSeconds: windowSeconds ?? 0 });
}
