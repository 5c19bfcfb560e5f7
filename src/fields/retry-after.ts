import { formatHttpDate } from "./http-date.ts";

/**
 * Writes the value of `Retry-After` (RFC 9110 §10.2.3): seconds, rounded up so that nobody comes too early, or a date.
 *
 * @throws {TypeError} when it is neither a number of seconds that is not negative nor a valid date.
 */
export function formatRetryAfter(when: number | Date): string {
  const isValid = when instanceof Date ? !Number.isNaN(when.getTime()) : Number.isFinite(when) && when >= 0;
  if (!isValid) throw new TypeError("Cannot write Retry-After: expected seconds, not negative, or a valid date");
  return when instanceof Date ? formatHttpDate(when) : String(Math.ceil(when));
}
