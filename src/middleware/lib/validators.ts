import type { Resource } from "../../application/resource.ts";
import { derivedTag } from "../../fields/derived-tag.ts";
import { parseEntityTag } from "../../fields/entity-tag.ts";
import { parseHttpDate } from "../../fields/http-date.ts";
import { essenceOf } from "../../fields/media-type.ts";
import type { Validators } from "../../fields/preconditions.ts";
import { readValidators, validatorFields, type FieldOfUnmodified } from "../../fields/representation.ts";
import { nameOf } from "../../http/javascript/described.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { isOneOfCodings, isOneOfTypes } from "./entity-tags.ts";
import { derivingType } from "./deriving-type.ts";
import { withFields } from "./response-fields.ts";

/** The validators of a resource's current representation, from a method `validator(input)`. */
export interface Validator {
  /** As in the field: `"7"` or `W/"7"`, with the quotes. */
  readonly etag?: string | undefined;
  /** Sent to the second: fractions are cut off. */
  readonly lastModified?: Date | undefined;
  /** The fields `Cache-Control`, `Content-Location`, `Expires` and `Vary` of 200, which 304 has, too. */
  readonly headers?: { readonly [Name in FieldOfUnmodified]?: string | undefined } | undefined;
}

/**
 * A resource that knows its validators without making a representation.
 *
 * @example
 * ```ts
 * class Note extends Resource implements Validating {
 *   paths = ["/note"];
 *
 *   validator(): Validator {
 *     return { etag: '"7"', lastModified: new Date("2026-11-26") };
 *   }
 *
 *   GET(): Response {
 *     return new Response("milk");
 *   }
 * }
 * ```
 */
export interface Validating {
  /** Returns `null` when there is no representation now, `undefined` when the resource cannot say. */
  validator(input: never): Validator | null | undefined | Promise<Validator | null | undefined>;
}

/**
 * Asks a resource for the validators of its current representation. Returns `undefined` if it does not say. @throws
 * {TypeError} for an invalid result.
 */
export async function askValidators(resource: Resource, input: object): Promise<Validators | null | undefined> {
  const validator = propertyOf(resource as Resource & { validator?: (input: object) => unknown }, "validator");
  if (typeof validator !== "function") return undefined;
  return readValidators(await validator.call(resource, input), nameOf(resource.constructor));
}

export function validatorsIn(headers: Headers): Validators {
  const lastModified = headers.get("last-modified");
  return {
    etag: parseEntityTag(headers.get("etag") ?? ""),
    lastModified: lastModified === null ? null : parseHttpDate(lastModified),
  };
}

/** Adds the validators of its resource to a 2xx response without any. Each media type has its own tag. */
export function withValidators(input: object, response: Response, current: Validators | null): Response {
  const { headers } = response;
  if (!response.ok || current === null || headers.has("etag")) return response;
  // No two streams of events are the same, whatever version they begin with.
  if (essenceOf(headers.get("content-type") ?? "") === "text/event-stream") return response;
  let { etag } = current;
  const mediaType =
    derivingType.find(input) ?? (isOneOfTypes(headers) ? headers.get("content-type")!.toLowerCase() : "");
  if (etag !== null && mediaType !== "") etag = derivedTag(etag, mediaType);
  if (etag !== null && isOneOfCodings(headers)) etag = derivedTag(etag, headers.get("content-encoding")!.toLowerCase());
  return withFields(response, (fields) => {
    for (const [name, value] of validatorFields({ ...current, etag })) fields.offer(name, value);
  });
}
