import type { Params } from "../../dispatch/params.ts";
import { parseCookieValues } from "../../fields/cookie.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import type { RequestFields } from "../../fields/request-fields.ts";
import { Status } from "../../http/protocol/status.ts";
import { after, isThenable } from "../../http/javascript/thenable.ts";
import type { Failure, FailurePart } from "../../json-schema/library/issues.ts";
import type { ReadTexts } from "../../json-schema/text/text-reader.ts";
import type { InputModel, PartModel } from "../operation/input-model.ts";
import { fitted, refusedFor } from "./fitted-part.ts";
import type { PageContent } from "../declaration/page-content.ts";

/** The parts of an input besides its fields. */
export interface Texts {
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
 * @throws {HTTPError} 400 with a list of all faults.
 */
export function readFields(model: InputModel, fields: RequestFields, texts: Texts, into: ReadParts): unknown {
  return readFrom({ model, fields, texts, into, failures: [], next: 0 });
}

/** Reading of query, fields and cookies under way. */
interface Reading {
  readonly model: InputModel;
  readonly fields: RequestFields;
  readonly texts: Texts;
  readonly into: ReadParts;
  readonly failures: Failure[];
  /** The index of the reader that is next. */
  next: number;
}

/**
 * Reads one part after another. PERF: no closure is made where nothing waits: five for each request took 400 bytes of
 * the heap (`node bench/requests/kernel-less.js "fingerpost semantics" R1`).
 */
function readFrom(reading: Reading): unknown {
  while (reading.next < readers.length) {
    const waiting = readers[reading.next++]!(reading);
    if (isThenable(waiting)) return after(waiting, goOn, reading);
  }
  const { failures } = reading;
  if (failures.length > 0) throw refusedFor(failures, Status.BadRequest, "The request does not fit");
  return undefined;
}

function goOn(_: unknown, reading: Reading): unknown {
  return readFrom(reading);
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
  return after(fitted(declared, texts, part, failures), keep, { into, name });
}

function keep(value: unknown, { into, name }: { readonly into: ReadParts; readonly name: keyof ReadParts }): void {
  into[name] = value;
}
