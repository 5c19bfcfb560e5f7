import { requireTime, type OptionCheck } from "../javascript/option-check.ts";

/** The option of all that asks a store. */
export interface StoreTimeout {
  /**
   * Time limit of a call to the store, in milliseconds. After it, the request gets 503 with `Retry-After`. Default: 2
   * seconds.
   */
  readonly storeTimeoutMs?: number | undefined;
}

/** Returns how long a store has for one question. @throws {TypeError} when a timer cannot wait as long. */
export function storeTimeoutOf(check: OptionCheck<StoreTimeout>): number {
  const { storeTimeoutMs = 2_000 } = check.options;
  requireTime(check, "storeTimeoutMs", storeTimeoutMs);
  return storeTimeoutMs;
}
