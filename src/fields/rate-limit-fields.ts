import { ownOf } from "../http/javascript/property.ts";
import { formatQuotedString } from "./quoted-string.ts";

/** The largest Integer of a structured field: it has at most 15 digits (RFC 9651 §3.3.1). */
export const largestInteger = 999_999_999_999_999;

/** A member of `RateLimit-Policy`: how much is allowed to whom in which time. */
export interface QuotaPolicy {
  readonly name: string;
  /** The parameter `q`. */
  readonly quota: number;
  /** The parameter `w`. */
  readonly windowSeconds?: number;
}

/** A member of `RateLimit`: how much of the quota of a policy is left. */
export interface ServiceLimit {
  readonly name: string;
  /** The parameter `r`. */
  readonly available: number;
  /** The parameter `t`: for how long it must last. */
  readonly windowSeconds?: number;
}

/**
 * Writes the value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11 §3).
 * @throws {TypeError} when a name is not printable ASCII, a number is not whole or negative, or a window is empty.
 */
export function formatRateLimitPolicy(policies: readonly QuotaPolicy[]): string {
  return policies
    .map(ownOf)
    .map(({ name, quota, windowSeconds }) => {
      if (windowSeconds === 0) throw new TypeError("Cannot write RateLimit-Policy: a window must not be empty");
      return sfString(name) + sfInteger("q", quota) + sfInteger("w", windowSeconds);
    })
    .join(", ");
}

/**
 * Writes the value of `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11 §4).
 * @throws {TypeError} when a name is not printable ASCII, or a number is not whole or negative.
 */
export function formatRateLimit(limits: readonly ServiceLimit[]): string {
  return limits
    .map(ownOf)
    .map(
      ({ name, available, windowSeconds }) =>
        sfString(name) + sfInteger("r", available) + sfInteger("t", windowSeconds),
    )
    .join(", ");
}

// RFC 9651 §4.1.6: a String, which is a quoted string of printable ASCII.
function sfString(text: string): string {
  if (!/^[\x20-\x7e]*$/.test(text))
    throw new TypeError("Cannot write a structured field: a name must be printable ASCII");
  return formatQuotedString(text);
}

// RFC 9651 §4.1.4: an Integer.
function sfInteger(key: string, value: number | undefined): string {
  if (value === undefined) return "";
  if (!Number.isInteger(value) || value < 0 || value > largestInteger) {
    throw new TypeError(
      `Cannot write a structured field: ${key} must be a whole number of at most 15 digits, not negative`,
    );
  }
  return `;${key}=${value}`;
}
