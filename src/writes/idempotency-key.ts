import { requestField } from "../fields/request-fields.ts";
import { Status } from "../http/protocol/status.ts";
import { refusedKey } from "./refusals.ts";
import type { WriteRules } from "./write-rules.ts";

/** Reads the key of a request. @throws {HTTPError} 400 when it is not a key, or there is none where it is required. */
export function keyOf(input: object, isRequired: boolean, rules: WriteRules): string | null {
  const value = requestField(input, "idempotency-key");
  if (value === null) {
    if (!isRequired) return null;
    throw refusedKey(Status.BadRequest, "Idempotency-Key is required", rules);
  }
  const key = parseIdempotencyKey(value);
  if (key !== null) return key;
  throw refusedKey(Status.BadRequest, "Idempotency-Key must be one string of 1 to 255 characters", rules);
}

/**
 * Reads the value of `Idempotency-Key`: a string of structured fields (RFC 9651 §3.3.3), whose parameters are ignored,
 * or bare text. Both name the same key. Returns null for anything else.
 */
export function parseIdempotencyKey(value: string): string | null {
  const [, quoted] = quotedKey.exec(value) ?? [];
  const key = quoted === undefined ? (bareKey.exec(value)?.[0] ?? "") : quoted.replace(/\\(.)/g, "$1");
  return key.length > 0 && key.length <= 255 ? key : null;
}

const text = String.raw`(?:[ !#-[\]-~]|\\["\\])*`;

// Each kind of value begins with another character, so that no text is read twice (RFC 9651 §4.2.3).
const value =
  String.raw`"${text}"|[A-Za-z*][\w!#$%&'*+.^|~:/\x60-]*|-?(?:\d{1,12}\.\d{1,3}|\d{1,15})|` +
  String.raw`:[A-Za-z\d+/]*={0,2}:|\?[01]|@-?\d{1,15}|%"(?:[ !#$&-~]|%[\da-f]{2})*"`;

const quotedKey = new RegExp(String.raw`^"(${text})"(?:; *[a-z*][\da-z_.*-]*(?:=(?:${value}))?)*$`);

// Visible ASCII without comma and quote.
const bareKey = /^[!#-+\--~]+$/;
