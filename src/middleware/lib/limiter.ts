import { largestInteger } from "../../fields/rate-limit.ts";
import { described } from "../../http/described.ts";
import { givenOf } from "../../http/given.ts";

/** What is needed of a limiter: those of `rate-limiter-flexible` have it, whatever their store. */
export interface Limiter {
  /** Takes one point of a client's; rejects with the same when none was left. */
  consume(key: string): Promise<Consumption>;
  /** How many points a client has in a window. */
  readonly points?: number | undefined;
  /** The window, in seconds. */
  readonly duration?: number | undefined;
}

/** What a limiter says of a client. */
export interface Consumption {
  /** How many requests the client may still send in the window; infinitely many, if nothing bounds them. */
  readonly remainingPoints: number;
  /** The milliseconds until the window ends; negative or infinite when it never does. */
  readonly msBeforeNext: number;
}

/** What a client has left. */
interface ServiceLeft {
  /** Whether none was left for this one. */
  readonly isOver: boolean;
  /** How many more there may be, and no more than the field can say. */
  readonly available: number;
  /** Until the window ends; nothing where it never does. */
  readonly windowSeconds: number | undefined;
}

/** Takes one point of a client's. @throws what the store of the limiter fails with; {TypeError} when it gives something else. */
export async function consume(limiter: Limiter, client: string): Promise<ServiceLeft> {
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
  if (!isConsumption(consumed)) {
    throw new TypeError(
      `Cannot limit the rate: expected remainingPoints and msBeforeNext from consume(), got ${described(consumed)}`,
    );
  }
  const { remainingPoints, msBeforeNext } = consumed;
  const available = Math.max(0, upToLargest(Math.floor(remainingPoints)));
  return { isOver, available, windowSeconds: secondsOf(msBeforeNext) };
}

function isConsumption(value: unknown): value is Consumption {
  if (typeof value !== "object" || value === null) return false;
  const { remainingPoints, msBeforeNext } = givenOf(value as Consumption, ["remainingPoints", "msBeforeNext"]);
  return typeof remainingPoints === "number" && typeof msBeforeNext === "number";
}

function secondsOf(ms: number): number | undefined {
  return ms >= 0 && Number.isFinite(ms) ? upToLargest(Math.ceil(ms / 1000)) : undefined;
}

// A limiter that bounds nothing, such as one around a list of those let through, says so by more than a field can carry.
function upToLargest(count: number): number {
  return Math.min(count, largestInteger);
}
