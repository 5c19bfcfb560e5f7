import { mostPreferred } from "../../fields/accept.ts";
import { refuseCoded, type CarriedContent } from "../../fields/carried-content.ts";
import { parseMediaType, specificityOf, type MediaType } from "../../fields/media-type.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import { refusalAnswer } from "../../http/answer/carried-answer.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { after } from "../../http/javascript/thenable.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { ContentModel, InputModel, RequestMedium } from "../operation/input-model.ts";
import type { Failure } from "../../json-schema/library/issues.ts";
import { fitted, refusedFor } from "./fitted-part.ts";
import { readContent, type ReadContent } from "./read-content.ts";
import { unknownBytes } from "../declaration/content-sending.ts";

/**
 * Refuses a part of a representation: taken for the whole, it would replace it (RFC 9110 §14.5). An operation that
 * takes parts declares the field.
 * @throws {HTTPError} 400 when there is `Content-Range`.
 */
export function refusePart({ headers }: Pick<InputModel, "headers">, fields: RequestFields): void {
  if (fields.get("content-range") === null || isDeclared(headers, "content-range")) return;
  throw refusal(Status.BadRequest, "The content is a part; send all of it, without Content-Range");
}

/**
 * Refuses coded content that no content is declared for. An operation that decodes it itself declares the field.
 * @throws {HTTPError} 415 when there is content with a content coding.
 */
export function refuseUnread({ headers }: Pick<InputModel, "headers">, carried: CarriedContent): void {
  if (carried.fields.get("content-encoding") === null || isDeclared(headers, "content-encoding")) return;
  if (carried.isThere) refuseCoded(carried.fields);
}

function isDeclared(headers: InputModel["headers"], field: string): boolean {
  return headers !== null && headers.names.some((name) => name.toLowerCase() === field);
}

/**
 * Finds the declared media type of a request's content. Null if it has no content and may omit it: its schema takes
 * `undefined`. Returns a Promise if it may.
 *
 * Content without a type is `application/octet-stream` (RFC 9110 §8.3). No other type is assumed.
 *
 * @throws {HTTPError} 415 when the type is another one (RFC 9110 §15.5.16). A request without the content that it must
 *   have has no type either, and gets 415 as well.
 * @throws {HTTPError} 400 when a QUERY has none (RFC 10008 §2).
 */
export function takenMedia(
  content: ContentModel,
  carried: CarriedContent,
  method: string,
): RequestMedium | Promise<RequestMedium | null> {
  return content.absent === null ? mediaFor(content, carried, method) : optionalMedia(content, carried, method);
}

async function optionalMedia(
  content: ContentModel,
  carried: CarriedContent,
  method: string,
): Promise<RequestMedium | null> {
  const isOptional = (await content.absent) !== null;
  // Clients name a type of what they leave out, too.
  if (isOptional && !carried.isThere) return null;
  try {
    return mediaFor(content, carried, method);
  } catch (refused) {
    // Whether a stream has a byte is not known before it is read.
    if (isOptional && (await carried.isEmpty())) return null;
    throw refused;
  }
}

function mediaFor({ media, types }: ContentModel, { fields }: CarriedContent, method: string): RequestMedium {
  const type = fields.get("content-type");
  if (type === null && method === "QUERY")
    throw refusal(Status.BadRequest, `Content-Type is missing; accepted: ${types}`, { "accept-query": types });
  refuseCoded(fields);
  // Saves the parser for the type that most clients send.
  const [first] = media as readonly [RequestMedium];
  if (type === first.type && !first.isRange) return first;
  const given = parseMediaType(type ?? unknownBytes);
  const found = given && closest(media, given);
  if (found) return found;
  const field = { PATCH: "accept-patch", QUERY: "accept-query" }[method];
  throw refusal(Status.UnsupportedMediaType, `Accepted types: ${types}`, {
    accept: types,
    ...(field === undefined ? {} : { [field]: types }),
  });
}

/**
 * Reads the content as a declared media type. Of none, if there need be none, it is what a schema makes of `undefined`.
 * Returns a Promise if anything has to wait besides the bytes.
 *
 * PERF: JSON and schema are refused where the line runs. Async functions of their own took 2 kB of the heap for each
 * request. Content that does not fit is returned. An error costs 3 us where it is thrown through the line, and 7 where
 * a callback of a Promise throws it (`node bench/requests/kernel-less.js "fingerpost semantics" "R6 422"`).
 *
 * @param media null where the request has none.
 * @param bytes what `bytesFor()` got.
 * @returns the content, or an answer with the 422 that lists all faults.
 * @throws {HTTPError} 400 or 413.
 */
export function readTaken(
  { absent }: ContentModel,
  media: RequestMedium | null,
  carried: CarriedContent,
  bytes: Uint8Array<ArrayBuffer> | null,
): unknown {
  if (media === null) return fittedAbsence(absent);
  const read = readContent(carried, media, absent, bytes);
  return after(read, (content) => (content === null ? fittedAbsence(absent) : fittedContent(media.schema, content)));
}

async function fittedAbsence(absent: ContentModel["absent"]): Promise<unknown> {
  return fittedContent(await absent, nothing);
}

function fittedContent(schema: StandardSchema | null, read: ReadContent): unknown {
  if (schema === null) return read.values;
  const failures: Failure[] = [];
  const content = fitted({ schema }, read, "content", failures);
  return after(content, contentOrRefusal, failures);
}

function contentOrRefusal(content: unknown, failures: readonly Failure[]): unknown {
  return failures.length > 0 ? refusalAnswer(refusedContent(failures)) : content;
}

export function refusedContent(failures: readonly Failure[]): HTTPError {
  return refusedFor(failures, Status.UnprocessableContent, "The content does not fit");
}

/** Returns the medium whose range covers a type most closely; `undefined` if none does. */
function closest(media: readonly RequestMedium[], given: MediaType): RequestMedium | undefined {
  if (given.subtype === "*") return undefined;
  const isUtf8 = /^(?:utf-?8)?$/.test(given.parameters.get("charset") ?? "");
  // Stored bytes keep the charset that came. All else is read as UTF-8.
  const readable = isUtf8 ? media : media.filter(({ raw, isRange }) => raw?.kind === "bytes" && isRange);
  return mostPreferred(readable, ({ range }) => specificityOf(withoutCharset(range), given)) ?? undefined;
}

const nothing: ReadContent = { values: undefined, failures: [] };

function withoutCharset<Range extends { readonly parameters: ReadonlyMap<string, string> }>(range: Range): Range {
  return range.parameters.has("charset")
    ? { ...range, parameters: new Map([...range.parameters].filter(([name]) => name !== "charset")) }
    : range;
}
