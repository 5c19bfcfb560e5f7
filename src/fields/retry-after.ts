import { parseHttpDate } from "./http-date.ts";

/**
 * Writes the value of `Retry-After` (RFC 9110 §10.2.3): seconds, rounded up so that nobody comes too early.
 * @throws {TypeError} when they are not a number, or negative.
 */
export function formatRetryAfter(seconds: number): string {
  const isDelay = Number.isFinite(seconds) && seconds >= 0;
  if (!isDelay) throw new TypeError("Cannot write Retry-After: expected seconds, not negative");
  return String(Math.ceil(seconds));
}

/**
 * Reads the value of `Retry-After`: seconds, or a date (RFC 9110 §10.2.3). Returns the milliseconds from now, or null
 * for anything else.
 */
export function parseRetryAfter(value: string): number | null {
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = parseHttpDate(value);
  return date && Math.max(date.getTime() - Date.now(), 0);
}
