import { isResponseLike } from "../../dispatch/fetch-response.ts";
import { isRangeCurrent, type Validators } from "../../fields/preconditions.ts";
import { parseEntityTag } from "../../fields/entity-tag.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { replacedInput } from "../../dispatch/replaced-input.ts";
import { requestField } from "../../fields/request-fields.ts";
import { isOfVersion } from "./entity-tags.ts";

/** RFC 9110 §13.2.2, step 5: if the validator of `If-Range` is not the current one, `Range` is ignored. */
export function isRangeStale(input: object, current: Validators | null | undefined): boolean {
  const ifRange = requestField(input, "if-range");
  if (ifRange === null || current === undefined || requestField(input, "range") === null) return false;
  return !isRangeCurrent(ifRange, current);
}

/** Returns the same before the media type of the answer is known, by which the tag of a version is derived. */
export function isVersionStale(input: object, current: Validators | null | undefined): boolean {
  if (!isRangeStale(input, current)) return false;
  const tag = parseEntityTag(requestField(input, "if-range")!);
  const version = current?.etag ?? null;
  return tag === null || version === null || !isOfVersion(tag, version);
}

/** The same request for the whole. */
export function withoutRange(input: object): object {
  const headers = new Headers((input as Request).headers);
  headers.delete("range");
  return replacedInput(input, { headers });
}

/**
 * Returns whether this says that there is nothing in the range, returned or thrown: a range that is to be ignored
 * cannot be wrong.
 */
export function isUnsatisfiable(answer: unknown): answer is Response | HTTPError {
  const isAnswer = answer instanceof HTTPError || isResponseLike(answer);
  return isAnswer && answer.status === Status.RangeNotSatisfiable.status;
}
