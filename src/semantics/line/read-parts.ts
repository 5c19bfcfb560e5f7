import type { Params } from "../../dispatch/params.ts";
import { parseCookieValues } from "../../fields/cookie.ts";
import { parseMediaType, specificityOf } from "../../fields/media-type.ts";
import { refusal, type HTTPError } from "../../http/protocol/http-error.ts";
import { refuseCoded, type CarriedContent } from "../../fields/carried-content.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import { Status } from "../../http/protocol/status.ts";
import { after, isThenable } from "../../http/javascript/thenable.ts";
import { hasFallback } from "../../json-schema/fallback-members.ts";
import { failuresOf, type Failure, type FailurePart } from "../schema/issues.ts";
import type { ReadTexts } from "../schema/text-reader.ts";
import type { TextValues } from "../schema/text-values.ts";
import type { ContentModel, InputModel, PartModel, RequestMedium } from "../operation/input-model.ts";
import { readContent, type ReadContent } from "./read-content.ts";
import type { StandardResult, StandardSchema } from "../../json-schema/standard-schema.ts";
import { validated } from "../../json-schema/validation.ts";
import type { PageContent } from "../declaration/page-content.ts";

/** The parts of an input besides its fields. */
export interface Texts {
  /** The path params that the path has. */
  pathEntries(): Iterable<readonly [name: string, value: string]>;
  /** The query of the URL, without its question mark. */
  queryText(): string;
  /** The request, whose params a page follows in other pages. */
  readonly request: { readonly params: Params };
}

/** The values that were read of query, fields and cookies. Parts that are not declared are absent. */
export interface ReadParts {
  query?: unknown;
  headers?: unknown;
  cookies?: unknown;
  page?: unknown;
}

/**
 * Reads the path params. Returns a Promise if their schema is asynchronous.
 *
 * @throws {HTTPError} 404 when the schema refuses them: then they name no resource.
 */
export function readPath(part: PartModel, texts: Texts): unknown {
  const failures: Failure[] = [];
  return after(fitted(part, part.reader.readEntries(texts.pathEntries()), "path", failures), (value) => {
    if (failures.length > 0) throw refusal(Status.NotFound);
    return value;
  });
}

/**
 * Reads query, fields and cookies into an object. Returns a Promise if a schema is asynchronous.
 *
 * @throws {HTTPError} 400 with a list of all faults.
 */
export function readFields(model: InputModel, fields: RequestFields, texts: Texts, into: ReadParts): unknown {
  return readFrom(0, { model, fields, texts, into, failures: [] });
}

/** Reading of query, fields and cookies under way. */
interface Reading {
  readonly model: InputModel;
  readonly fields: RequestFields;
  readonly texts: Texts;
  readonly into: ReadParts;
  readonly failures: Failure[];
}

/**
 * Reads one part after another, from an index on.
 *
 * PERF: no closure is made where nothing waits: five for each request took 400 bytes of the heap
 * (`node bench/requests/kernel-less.js "fingerpost semantics" R1`).
 */
function readFrom(start: number, reading: Reading): unknown {
  for (let at = start; at < readers.length; at++) {
    const waiting = readers[at]!(reading);
    if (isThenable(waiting)) return goOnAfter(waiting, at + 1, reading);
  }
  const { failures } = reading;
  if (failures.length > 0) throw refusedFor(failures, Status.BadRequest, "The request does not fit");
  return undefined;
}

function goOnAfter(waiting: PromiseLike<unknown>, next: number, reading: Reading): unknown {
  return Promise.resolve(waiting).then(() => readFrom(next, reading));
}

const readers: readonly ((reading: Reading) => unknown)[] = [readPageAndQuery, readHeaders, readCookies];

function readPageAndQuery(reading: Reading): unknown {
  const { model, texts } = reading;
  return model.page === null ? readQuery(texts.queryText(), reading) : readPage(model.page, reading);
}

function readPage(page: PageContent["~cursors"], reading: Reading): unknown {
  const { texts, into, failures } = reading;
  return after(page.read(texts.queryText(), texts.request.params), (read) => {
    into.page = read.page;
    failures.push(...read.failures);
    return readQuery(read.others, reading);
  });
}

function readQuery(text: string, reading: Reading): unknown {
  const { query } = reading.model;
  return query && readInto(reading, "query", query, query.reader.readUrlEncoded(text), "query");
}

function readHeaders(reading: Reading): unknown {
  const { headers } = reading.model;
  return headers && readInto(reading, "headers", headers, headers.reader.readNamed(reading.fields), "header");
}

function readCookies(reading: Reading): unknown {
  const { cookies } = reading.model;
  if (cookies === null) return null;
  const texts = cookies.reader.readNamed(parseCookieValues(reading.fields.get("cookie") ?? ""));
  return readInto(reading, "cookies", cookies, texts, "cookie");
}

function readInto(
  { into, failures }: Reading,
  name: Exclude<keyof ReadParts, "page">,
  declared: PartModel,
  texts: ReadTexts,
  part: FailurePart,
): unknown {
  const given = fitted(declared, texts, part, failures);
  if (isThenable(given)) return keptAfter(given, into, name);
  into[name] = given;
  return undefined;
}

function keptAfter(given: PromiseLike<unknown>, into: ReadParts, name: keyof ReadParts): unknown {
  return Promise.resolve(given).then((value) => void (into[name] = value));
}

/**
 * Refuses a part of a representation: taken for the whole, it would replace it (RFC 9110 §14.5). An operation that
 * takes parts declares the field.
 *
 * @throws {HTTPError} 400 when there is `Content-Range`.
 */
export function refusePart({ headers }: Pick<InputModel, "headers">, fields: RequestFields): void {
  if (fields.get("content-range") === null) return;
  const names = [...(headers?.members.named.keys() ?? [])];
  if (names.some((name) => name.toLowerCase() === "content-range")) return;
  throw refusal(Status.BadRequest, "The content is a part: send all of it, without Content-Range");
}

/**
 * Finds the declared media type of a request's content. Null if it has no content and may omit it: its schema takes
 * `undefined`. Returns a Promise if it may.
 *
 * @throws {HTTPError} 415 when the type is another one, or there is none (RFC 9110 §15.5.16): none is assumed, though
 *   §8.3 allows it. A request without the content that it must have has no type either, and is 415 as well.
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
    throw refusal(Status.BadRequest, "A QUERY needs a content type", { "accept-query": types });
  refuseCoded(fields);
  // Saves the parser for the type that most clients send.
  if (type === media[0]!.type) return media[0]!;
  const given = type === null ? null : parseMediaType(type);
  const isUtf8 = /^(?:utf-?8)?$/i.test(given?.parameters.get("charset") ?? "");
  const found =
    given !== null && isUtf8 ? media.find(({ range }) => specificityOf(withoutCharset(range), given) > 0) : undefined;
  if (found !== undefined) return found;
  const field = { PATCH: "accept-patch", QUERY: "accept-query" }[method];
  throw refusal(Status.UnsupportedMediaType, undefined, {
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
 * @returns the content, or an {@link Unfit} with the 422 that lists all faults.
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
  return isThenable(read) ? fittedLater(read, media, absent) : fittedContent(media.schema, read);
}

async function fittedLater(
  reading: Promise<ReadContent | null>,
  { schema }: RequestMedium,
  absent: ContentModel["absent"],
): Promise<unknown> {
  const read = await reading;
  return read === null ? fittedAbsence(absent) : fittedContent(schema, read);
}

async function fittedAbsence(absent: ContentModel["absent"]): Promise<unknown> {
  return fittedContent(await absent, nothing);
}

function fittedContent(schema: StandardSchema | null, read: ReadContent): unknown {
  if (schema === null) return read.values;
  const failures: Failure[] = [];
  const content = fitted({ schema }, read, "content", failures);
  if (isThenable(content)) return contentAfter(content, failures);
  return failures.length > 0 ? new Unfit(refusedContent(failures)) : content;
}

async function contentAfter(waiting: PromiseLike<unknown>, failures: readonly Failure[]): Promise<unknown> {
  const content = await waiting;
  return failures.length > 0 ? new Unfit(refusedContent(failures)) : content;
}

/** Content that its schema refuses. */
export class Unfit {
  readonly error: HTTPError;

  constructor(error: HTTPError) {
    this.error = error;
  }
}

/** Makes the 422 for content that does not fit. */
export function refusedContent(failures: readonly Failure[]): HTTPError {
  return refusedFor(failures, Status.UnprocessableContent, "The content does not fit");
}

const nothing: ReadContent = { values: undefined, failures: [] };

/**
 * Returns the value that a schema makes of what was read. Returns a Promise if the schema is asynchronous.
 *
 * A member that could not be read, and for which the schema has a fallback, is NaN: no type takes that.
 */
function fitted(
  { schema }: Pick<PartModel, "schema">,
  { values, failures: all }: ReadContent,
  part: FailurePart,
  failures: Failure[],
): unknown {
  const unread = all.length === 0 ? all : unreadOf(schema, values as TextValues, all);
  const outcome = validated(schema, values);
  const reading = { schema, values, unread, part, failures };
  return isThenable(outcome) ? fittedAfter(outcome, reading) : valueOf(outcome, reading);
}

/** What was read of one part, before its schema has answered. */
interface Fitting {
  readonly schema: StandardSchema;
  readonly values: unknown;
  readonly unread: ReadContent["failures"];
  readonly part: FailurePart;
  readonly failures: Failure[];
}

function fittedAfter(outcome: PromiseLike<StandardResult<unknown>>, fitting: Fitting): unknown {
  return Promise.resolve(outcome).then((result) => valueOf(result, fitting));
}

function valueOf(outcome: StandardResult<unknown>, { schema, values, unread, part, failures }: Fitting): unknown {
  if (outcome.issues === undefined && unread.length === 0) return outcome.value;
  const { vendor } = schema["~standard"];
  failures.push(...failuresOf(part, { vendor, schema, sent: values, issues: outcome.issues ?? [], unread }));
  return undefined;
}

/** Lists what could not be read, without the members for which the schema has a fallback. */
function unreadOf(schema: StandardSchema, values: TextValues, all: ReadContent["failures"]): ReadContent["failures"] {
  const unread = all.filter(({ path: [name] }) => !hasFallback(schema, String(name)));
  if (unread.length < all.length) {
    for (const { path } of all) if (!unread.some((one) => one.path[0] === path[0])) values[path[0]!] = Number.NaN;
  }
  return unread;
}

function refusedFor(
  errors: readonly Failure[],
  status: (typeof Status)["BadRequest"] | (typeof Status)["UnprocessableContent"],
  detail: string,
): HTTPError {
  return Object.assign(refusal(status, detail), { errors });
}

function withoutCharset<Range extends { readonly parameters: ReadonlyMap<string, string> }>(range: Range): Range {
  return range.parameters.has("charset")
    ? { ...range, parameters: new Map([...range.parameters].filter(([name]) => name !== "charset")) }
    : range;
}
