import type { Resource } from "../../application/resource.ts";
import { formatEntityTag, parseEntityTag } from "../../fields/entity-tag.ts";
import { formatHttpDate, parseHttpDate } from "../../fields/http-date.ts";
import type { Validators } from "../../fields/preconditions.ts";
import { described, nameOf } from "../../http/described.ts";
import { given, givenOf } from "../../http/given.ts";
import { isOneOfCodings } from "./entity-tags.ts";
import { withFields } from "./response-fields.ts";

/** What a resource says of its current representation, in a method `validator(input)`. */
export interface Validator {
  /** As in the field: `"7"` or `W/"7"`, with the quotes. */
  readonly etag?: string;
  /** Sent to the second: what is finer is cut off. */
  readonly lastModified?: Date;
}

/** A resource that knows its validators without making a representation. */
export interface Validating {
  /** Gives `null` when there is nothing now, `undefined` when it cannot say. */
  validator(input: never): Validator | null | undefined | Promise<Validator | null | undefined>;
}

/** Asks a resource what it says of its current representation; `undefined` where it says nothing. @throws {TypeError} for what cannot be read. */
export async function askValidators(resource: Resource, input: object): Promise<Validators | null | undefined> {
  const validator = given(resource as Resource & { validator?: (input: object) => unknown }, "validator");
  if (typeof validator !== "function") return undefined;
  const value = (await validator.call(resource, input)) as Validator | null | undefined;
  if (value === null || value === undefined) return value;
  const { etag: text, lastModified = null } = givenOf(value, ["etag", "lastModified"]);
  const etag = text === undefined ? null : parseEntityTag(String(text));
  const isDate = lastModified === null || (lastModified instanceof Date && !Number.isNaN(lastModified.getTime()));
  if ((text === undefined || etag !== null) && isDate) return { etag, lastModified };
  const wrong = isDate ? `the etag ${described(text)}` : `the lastModified ${described(lastModified)}`;
  throw new TypeError(
    `Cannot evaluate preconditions: validator() of ${nameOf(resource.constructor)} gave ${wrong}; ` +
      "write { etag: '\"7\"', lastModified: new Date(…) }, each if there is one",
  );
}

/** The validators that a response has. */
export function validatorsIn(headers: Headers): Validators {
  const lastModified = headers.get("last-modified");
  return {
    etag: parseEntityTag(headers.get("etag") ?? ""),
    lastModified: lastModified === null ? null : parseHttpDate(lastModified),
  };
}

/** Has a 2xx response carry the validators of its resource, if it has none of its own. */
export function withValidators(response: Response, current: Validators | null): Response {
  if (!response.ok || current === null || response.headers.has("etag")) return response;
  const { etag } = current;
  const tag = etag !== null && isOneOfCodings(response.headers) ? { ...etag, isWeak: true } : etag;
  return withFields(response, (fields) => {
    if (tag !== null) fields.offer("ETag", formatEntityTag(tag));
    if (current.lastModified !== null) fields.offer("Last-Modified", formatHttpDate(pastOf(current.lastModified)));
  });
}

/** RFC 9110 §8.8.2.1: no response is older than what it has. */
function pastOf(date: Date): Date {
  return new Date(Math.min(date.getTime(), Date.now()));
}
