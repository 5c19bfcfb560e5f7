import type { Resource } from "../application/native.ts";
import { parseEntityTag } from "../fields/entity-tag.ts";
import { evaluatePreconditions } from "../fields/preconditions.ts";
import { notModified } from "../fields/representation.ts";
import { preconditionsOf } from "../fields/request-preconditions.ts";
import type { Bytes } from "../http/javascript/bytes.ts";
import { isMountable } from "../dispatch/mounted-resource.ts";
import { described } from "../http/javascript/described.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";

/** A resource class that describes the application it is in. */
export type DescribingClass = (new () => Resource) & Pick<typeof Resource, "httpModule">;

/** @throws {TypeError} when an option is not a path. */
export function checkPath(name: string, value: unknown): void {
  if (typeof value === "string" && value.startsWith("/")) return;
  throw new TypeError(`Cannot describe the application: expected ${name} to be a path, got ${described(value)}`);
}

/** @throws {TypeError} when an option is not a list of middleware. */
export function checkMiddleware(value: readonly unknown[]): void {
  if (Array.isArray(value) && value.every(isMountable)) return;
  throw new TypeError(
    `Cannot describe the application: expected middleware to be an array of middleware classes, ` +
      `got ${described(value)}`,
  );
}

/** Answers with content that has a tag, or says that the client has it. @throws {HTTPError} 412. */
export function answer(
  request: Request,
  fields: Readonly<Record<string, string>> & { readonly etag: string },
  bytes: Bytes,
): Response {
  const headers = new Headers(fields);
  const current = { etag: parseEntityTag(fields.etag), lastModified: null };
  const verdict = evaluatePreconditions(preconditionsOf(request.headers), true, current);
  if (verdict === "failed") throw new HTTPError(Status.PreconditionFailed);
  return verdict === "not modified" ? notModified(headers) : new Response(bytes, { headers });
}
