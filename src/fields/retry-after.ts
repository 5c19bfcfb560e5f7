/**
 * Writes the value of `Retry-After` (RFC 9110 §10.2.3): seconds, rounded up so that nobody comes too early.
 *
 * @throws {TypeError} when they are not a number, or negative.
 */
export function formatRetryAfter(seconds: number): string {
  const isDelay = Number.isFinite(seconds) && seconds >= 0;
  if (!isDelay) throw new TypeError("Cannot write Retry-After: expected seconds, not negative");
  return String(Math.ceil(seconds));
}
