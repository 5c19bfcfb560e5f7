import { largestInteger } from "../../fields/rate-limit-fields.ts";
import { described } from "../../http/javascript/described.ts";
import { unavailable } from "../../http/protocol/asked-store.ts";
import { isPlainObject, propertiesOf } from "../../http/javascript/property.ts";

/** The members of a limiter that are used. The limiters of `rate-limiter-flexible` have them, with any store. */
export interface Limiter {
  /**
   * Takes one point from a client. Rejects with the same value when none was left. A union of limiters has one for
   * each, by its name.
   */
  consume(key: string): Promise<Consumption | Readonly<Record<string, Consumption>>>;
  /** How many points a client has in a window. */
  readonly points?: number | undefined;
  /** The window, in seconds. */
  readonly duration?: number | undefined;
}

/** The result of a limiter for a client. */
export interface Consumption {
  /** How many requests the client may still send in the window. Infinity if unlimited. */
  readonly remainingPoints: number;
  /** The milliseconds until the window ends. Negative or infinite when it never ends. */
  readonly msBeforeNext: number;
}

/** The requests that a client has left. */
export interface ServiceLeft {
  /** Whether none was left for this request. */
  readonly isOver: boolean;
  /** How many more requests are left, up to the largest number that the field can hold. */
  readonly available: number;
  /** The seconds until the window ends; undefined if it never ends. */
  readonly windowSeconds: number | undefined;
}

/**
 * Takes one point from a client.
 * @throws {HTTPError} 503 when the limiter's store fails.
 * @throws {TypeError} when the limiter returns something else.
 */
export async function consume(limiter: Pick<Limiter, "consume">, client: string): Promise<ServiceLeft> {
  let consumed: unknown;
  let isOver = false;
  try {
    consumed = await limiter.consume(client);
  } catch (reason) {
    // Anything else is a failure of the store.
    if (tightestOf(reason) === null) throw unavailable(reason);
    consumed = reason;
    isOver = true;
  }
  const tightest = tightestOf(consumed);
  if (tightest === null) {
    throw new TypeError(
      `Cannot limit the rate: expected remainingPoints and msBeforeNext from consume(), got ${described(consumed)}`,
    );
  }
  const { remainingPoints, msBeforeNext } = tightest;
  const available = Math.max(0, upToLargest(Math.floor(remainingPoints)));
  return { isOver, available, windowSeconds: secondsOf(msBeforeNext) };
}

/**
 * Finds the limiter of a union that lets the client wait longest, of those with the fewest points left. Null for
 * anything else.
 */
function tightestOf(value: unknown): Consumption | null {
  if (isConsumption(value)) return value;
  const each: unknown[] = isPlainObject(value) ? Object.values(value) : [];
  if (each.length === 0 || !each.every(isConsumption)) return null;
  return each.reduce((one, other) => {
    const difference = one.remainingPoints - other.remainingPoints || other.msBeforeNext - one.msBeforeNext;
    return difference > 0 ? other : one;
  });
}

function isConsumption(value: unknown): value is Consumption {
  if (typeof value !== "object" || value === null) return false;
  const { remainingPoints, msBeforeNext } = propertiesOf(value as Consumption, ["remainingPoints", "msBeforeNext"]);
  return typeof remainingPoints === "number" && typeof msBeforeNext === "number";
}

function secondsOf(ms: number): number | undefined {
  return ms >= 0 && Number.isFinite(ms) ? upToLargest(Math.ceil(ms / 1000)) : undefined;
}

// A limiter without a bound, such as one with an allow list, returns a number that is too large for a field.
function upToLargest(count: number): number {
  return Math.min(count, largestInteger);
}
