import { parseHttpDate } from "./http-date.ts";
import { trimmed } from "./list.ts";
import type { Preconditions, Validators } from "./preconditions.ts";
import type { RequestFields } from "./request-fields.ts";

export function preconditionsOf(fields: Pick<RequestFields, "get">): Preconditions {
  return {
    ifMatch: fields.get("if-match"),
    ifNoneMatch: fields.get("if-none-match"),
    ifModifiedSince: fields.get("if-modified-since"),
    ifUnmodifiedSince: fields.get("if-unmodified-since"),
  };
}

export function isAnySent({ ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince }: Preconditions): boolean {
  return ifMatch !== null || ifNoneMatch !== null || ifModifiedSince !== null || ifUnmodifiedSince !== null;
}

/** Returns whether a precondition is there that can keep a method from being performed. */
export function isConditional(preconditions: Preconditions, current: Validators | null | undefined): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = preconditions;
  if (ifMatch !== null || ifNoneMatch !== null) return true;
  const isDate = ifUnmodifiedSince !== null && parseHttpDate(ifUnmodifiedSince) !== null;
  return isDate && (current === undefined || (current?.lastModified ?? null) !== null);
}

/** Returns whether the value of `If-Match` or `If-None-Match` names tags, rather than whatever is there. */
export function namesTag(value: string | null): boolean {
  return value !== null && trimmed(value) !== "*";
}
