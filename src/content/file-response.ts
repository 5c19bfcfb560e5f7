import { formatContentDisposition } from "../fields/content-disposition.ts";
import { parseEntityTag } from "../fields/entity-tag.ts";
import { formatHttpDate } from "../fields/http-date.ts";
import { evaluatePreconditions, type Validators } from "../fields/preconditions.ts";
import { formatContentRange, type ByteRange } from "../fields/range.ts";
import { askedRanges, notModified } from "../fields/representation.ts";
import { preconditionsOf } from "../fields/request-preconditions.ts";
import { addVary } from "../fields/vary.ts";
import { described } from "../http/described.ts";
import { HTTPError } from "../http/http-error.ts";
import { OptionCheck } from "../http/option-check.ts";
import type { StatusPair } from "../http/status-constant.ts";
import { Status } from "../http/status.ts";
import { checkLength, closerOf, streamOf, type Piece } from "./file-content.ts";
import type { Stored } from "./file-source.ts";

/** What `fileResponse()` takes. */
export interface FileResponseOptions {
  /** Makes browsers save the file, under a name if one is given. Default: they show it. */
  readonly download?: string | true | undefined;
  /** Says that another state of the file has another URL, so that clients may keep it for a year. Default: they ask again. */
  readonly immutable?: boolean | undefined;
  /** Fields for the response, such as `Vary` or a `Cache-Control` of your own. */
  readonly headers?: NonNullable<ConstructorParameters<typeof Headers>[0]> | undefined;
}

/**
 * Answers a request with a file: all of it, the ranges that the client asks for, or 304 if the client has it.
 *
 * `GET` and `HEAD` evaluate preconditions (RFC 9110 §13.2.2), and `GET` evaluates `Range` and `If-Range` (§14.2); other methods
 * give all of the file. The file is closed once, also when the client leaves or an error is thrown. It is read only as fast as the
 * client reads, and the response is broken off if the file changes meanwhile.
 *
 * @param stored the file; `undefined` where there is none.
 * @throws {HTTPError} 404 when there is no file.
 * @throws {HTTPError} 412 when `If-Match` or `If-Unmodified-Since` fails.
 * @throws {HTTPError} 416 with `Content-Range` when no range that the client asks for is in the file.
 * @throws {TypeError} when an option is wrong, or the file is described by what no field can hold.
 * @example
 * ```ts
 * import { fileResponse } from "fingerpost/content/files.js";
 * import { folder } from "fingerpost/content/folder.js";
 *
 * const source = folder(".");
 *
 * class Invoice extends Resource {
 *   paths = ["/invoices/:id"] as const;
 *
 *   async GET(request: RequestOf<Invoice>): Promise<Response> {
 *     const stored = await source.find([`${request.params.pathParam("id")}.pdf`], null);
 *     return fileResponse(request, stored, { download: "invoice.pdf" });
 *   }
 * }
 * ```
 */
export function fileResponse(
  request: Pick<Request, "method" | "headers">,
  stored: Stored | undefined,
  options: FileResponseOptions = {},
): Response {
  if (stored === undefined) throw new HTTPError(Status.NotFound);
  const close = closerOf(stored);
  try {
    const check = new OptionCheck("fileResponse", options, ["download", "immutable", "headers"]);
    const { download, immutable } = check.options;
    const isName = download === undefined || download === true || typeof download === "string";
    check.require(isName, "download", "a file name or true", download);
    check.boolean("immutable", immutable);
    return answerOf(request, stored, check.options, close);
  } catch (error) {
    close();
    throw error;
  }
}

function answerOf(
  { method, headers: asked }: Pick<Request, "method" | "headers">,
  stored: Stored,
  options: FileResponseOptions,
  close: () => void,
): Response {
  const current = validatorsOf(stored);
  const headers = fieldsOf(stored, current, options);
  if (method !== "GET" && method !== "HEAD") return whole(stored, headers, close);

  const verdict = evaluatePreconditions(preconditionsOf({ headers: asked }), true, current);
  if (verdict === "failed") throw new HTTPError(Status.PreconditionFailed);
  if (verdict === "not modified") {
    close();
    return notModified(headers);
  }
  if (method === "HEAD") {
    close();
    headers.set("content-length", String(stored.length));
    return response(null, Status.OK, headers);
  }

  const ranges = rangesOf(asked, stored, current);
  if (ranges === null) return whole(stored, headers, close);
  const [range, ...more] = ranges;
  if (more.length > 0) return several(stored, ranges, headers, close);
  headers.set("content-range", formatContentRange(range!, stored.length));
  return part(stored, range!, Status.PartialContent, headers, close);
}

/** What tells this state of the file from others, as far as it can be said in fields. */
function validatorsOf({ etag, lastModified }: Stored): Validators {
  // RFC 9110 §8.8.2.1: nothing is said to be younger than the response. NaN is neither.
  const isPast = lastModified !== null && lastModified.getTime() <= Date.now();
  const tag = etag === null ? null : parseEntityTag(etag);
  if (etag !== null && tag === null)
    throw new TypeError(
      `Cannot answer with the file: its etag must be an entity tag, quotes included, got ${described(etag)}`,
    );
  return { etag: tag, lastModified: isPast ? lastModified : null };
}

const forAYear = ["public", "max-age=31536000", "immutable"].join(", ");

/** The fields that all responses with the file have in common, but for its length. */
function fieldsOf(
  { etag, type, coding }: Stored,
  { lastModified }: Validators,
  { download, immutable = false, headers: given }: FileResponseOptions,
): Headers {
  const headers = new Headers(given);
  headers.set("content-type", type);
  headers.set("accept-ranges", "bytes");
  headers.set("x-content-type-options", "nosniff");
  if (etag !== null) headers.set("etag", etag);
  if (lastModified !== null) headers.set("last-modified", formatHttpDate(lastModified));
  if (coding !== null) {
    headers.set("content-encoding", coding);
    addVary(headers, "Accept-Encoding");
  }
  if (download !== undefined) {
    const name = download === true ? "" : download;
    headers.set("content-disposition", formatContentDisposition("attachment", name));
  }
  if (!headers.has("cache-control")) headers.set("cache-control", immutable ? forAYear : "no-cache");
  return headers;
}

/** The ranges to answer with; null for all of the file. @throws {HTTPError} 416 when the file has none of them. */
function rangesOf(asked: Headers, { length, coding }: Stored, current: Validators): ByteRange[] | null {
  const ranges = askedRanges(asked, length, current);
  // RFC 9110 §15.3.7.2 leaves open whether Content-Encoding is about the parts or about all of a multipart.
  return ranges !== null && ranges.length > 1 && coding !== null ? null : ranges;
}

function whole(stored: Stored, headers: Headers, close: () => void): Response {
  return part(stored, { start: 0, end: stored.length }, Status.OK, headers, close);
}

function part(stored: Stored, range: ByteRange, status: StatusPair, headers: Headers, close: () => void): Response {
  const length = range.end - range.start;
  headers.set("content-length", String(length));
  const content = length === 0 ? new Uint8Array() : stored.read(range.start, range.end);
  if (content instanceof Uint8Array) checkLength(content, range);
  if (!(content instanceof Uint8Array) || length > mostCopiedBytes)
    return response(streamOf(stored, [range], close, content), status, headers);
  close();
  return response(content, status, headers);
}

// A response copies the bytes it is made of, so that more are given in parts, as they are.
const mostCopiedBytes = 65_536;

/** Answers with several ranges (RFC 9110 §14.6). */
function several(stored: Stored, ranges: readonly ByteRange[], headers: Headers, close: () => void): Response {
  const boundary = crypto.randomUUID();
  const type = headers.get("content-type")!;
  const encoder = new TextEncoder();
  const pieces: Piece[] = ranges.flatMap((range, at) => {
    const contentRange = formatContentRange(range, stored.length);
    const delimiter = `${at === 0 ? "" : "\r\n"}--${boundary}`;
    const head = `${delimiter}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange}\r\n\r\n`;
    return [encoder.encode(head), range];
  });
  pieces.push(encoder.encode(`\r\n--${boundary}--\r\n`));
  const lengths = pieces.map((piece) => (piece instanceof Uint8Array ? piece.byteLength : piece.end - piece.start));
  headers.set("content-length", String(lengths.reduce((sum, length) => sum + length)));
  headers.set("content-type", `multipart/byteranges; boundary=${boundary}`);
  return response(streamOf(stored, pieces, close), Status.PartialContent, headers);
}

function response(
  body: Uint8Array | ReadableStream | null,
  { status, statusText }: StatusPair,
  headers: Headers,
): Response {
  return new Response(body as BodyInit | null, { status, statusText, headers });
}
