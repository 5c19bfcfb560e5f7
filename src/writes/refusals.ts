import { HTTPError } from "../http/protocol/http-error.ts";
import type { StatusConstant } from "../http/protocol/status.ts";
import type { WriteRules } from "./write-rules.ts";

/** The answers to keys, as documents describe them. */
export const keyAnswers: Readonly<Record<400 | 409 | 422, string>> = {
  400: "Idempotency-Key cannot be read, or is missing",
  409: "A request with this Idempotency-Key is under way; Retry-After says when to come back",
  422: "Idempotency-Key was used for another request",
};

/** Refuses a request by its key, with a link to where keys are documented. */
export function refusedKey(
  status: StatusConstant,
  message: string,
  { docs }: WriteRules,
  fields: Readonly<Record<string, string>> = {},
): HTTPError {
  const link: Readonly<Record<string, string>> = docs === undefined ? {} : { Link: `<${docs}>; rel="describedby"` };
  return new HTTPError(status, message, { headers: { ...fields, ...link } });
}
