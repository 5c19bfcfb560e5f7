import { formatHttpDate, parseHttpDate } from "./http-date.ts";

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

/** Reads the value of `Retry-After` as the seconds to wait from now; null when it is malformed. */
export function parseRetryAfter(value: string, now: Date = new Date()): number | null {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const date = parseHttpDate(value, now);
  return date === null ? null : Math.max(0, (date.getTime() - now.getTime()) / 1000);
}
