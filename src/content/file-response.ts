import { codedAlready } from "../http/message/coded-content.ts";
import { isBytes } from "../http/javascript/any-realm.ts";
import { formatContentDisposition } from "../fields/content-disposition.ts";
import { parseEntityTag } from "../fields/entity-tag.ts";
import { formatHttpDate } from "../fields/http-date.ts";
import { evaluatePreconditions, type Validators } from "../fields/preconditions.ts";
import { formatContentRange, type ByteRange } from "../fields/range.ts";
import { askedRanges, withoutDescription } from "../fields/representation.ts";
import { RequestFields } from "../fields/request-fields.ts";
import { preconditionsOf } from "../fields/request-preconditions.ts";
import { addVary } from "../fields/vary.ts";
import { isGuarded } from "../dispatch/guarded.ts";
import { described } from "../http/javascript/described.ts";
import { lend, takerOf } from "../http/message/lent-content.ts";
import { ownOf } from "../http/javascript/property.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { kept } from "../http/message/light-response.ts";
import { Response as OwnResponse } from "../http/message/response.ts";
import type { StatusPair } from "../http/protocol/status-constant.ts";
import { Status } from "../http/protocol/status.ts";
import { allOf, checkLength, closerOf, streamOf, type Piece } from "./file-content.ts";
import type { Content, FoundFile } from "./file-source.ts";
import type { FileState } from "./file-state.ts";

/** Options of `fileResponse()`. */
export interface FileResponseOptions {
  /** Makes browsers save the file, under a name if one is given. Default: they show it. */
  readonly download?: string | boolean | undefined;
  /**
   * Says that each version of the file has its own URL, so that clients may cache it for a year. Default: clients
   * revalidate.
   */
  readonly immutable?: boolean | undefined;
  /** Fields for the response, such as `Vary` or a `Cache-Control` of your own. */
  readonly headers?: NonNullable<ConstructorParameters<typeof Headers>[0]> | undefined;
}

/**
 * Answers a request with a file: all of it, the ranges that the client asks for, or 304 if the client has it.
 *
 * `GET` and `HEAD` evaluate preconditions (RFC 9110 §13.2.2), and `GET` evaluates `Range` and `If-Range` (§14.2); other
 * methods give all of the file. The file is closed once, also when the client leaves or an error is thrown. It is read
 * only as fast as the client reads, and the response is broken off if the file changes meanwhile.
 *
 * @param stored the file; `undefined` where there is none.
 * @throws {HTTPError} 404 when there is no file.
 * @throws {HTTPError} 412 when `If-Match` or `If-Unmodified-Since` fails.
 * @throws {HTTPError} 416 with `Content-Range` when no range that the client asks for is in the file.
 * @throws {TypeError} when an option is wrong, or the file is described by what no field can hold.
 * @example
 * ```ts
 * import { folder } from "fingerpost/folder";
 * import { fileResponse } from "fingerpost/native/content";
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
  stored: FoundFile | undefined,
  options: FileResponseOptions = {},
): Response {
  if (stored === undefined) throw new HTTPError(Status.NotFound);
  const close = closerOf(stored);
  try {
    const check = new OptionCheck("fileResponse", options, ["download", "immutable", "headers"]);
    const { download = false } = check.options;
    check.require(
      typeof download === "boolean" || typeof download === "string",
      "download",
      "a file name, true or false",
    );
    check.boolean("immutable");
    return responseOf(planOf(request, stored, check.options), stored, close);
  } catch (error) {
    close();
    throw error;
  }
}

/** What else the resource knows of its file. */
export interface Served {
  readonly immutable?: boolean | undefined;
  /** The value of `Vary`; empty without. */
  readonly vary?: string | undefined;
}

/**
 * Answers as `fileResponse()` does, when all of a short content is there.
 * PERF: head and content go out in one piece, and no stream is made: half the CPU for 1 kB of a folder (`bench/files`).
 */
export async function servedFile(
  request: Pick<Request, "method" | "headers">,
  stored: FoundFile,
  served: Served,
): Promise<Response> {
  const close = closerOf(stored);
  try {
    const plan = planOf(request, stored, ownOf(served));
    const [range, ...more] = plan.ranges;
    if (range === undefined || more.length > 0 || range.end - range.start > shortBytes)
      return responseOf(plan, stored, close);
    const content = contentOf(stored, range);
    const bytes = isBytes(content) ? content : lend(await allOf(content, range), takerOf(content));
    return part(plan, range, bytes, stored, close);
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Answers with 304 if the client has this state of a file. Returns null if it needs the file itself.
 * @throws {HTTPError} 412 and 416 as `fileResponse()` does.
 */
export function unchangedResponse(
  request: Pick<Request, "method" | "headers">,
  state: FileState,
  served: Served,
): Response | null {
  const plan = planOf(request, state, ownOf(served));
  return plan.status === Status.NotModified ? response(null, plan) : null;
}

interface Plan {
  readonly status: StatusPair;
  readonly fields: Fields;
  /** What of the file is the content; none without content. */
  readonly ranges: readonly ByteRange[];
}

function planOf(
  request: Pick<Request, "method" | "headers">,
  stored: FileState,
  options: FileResponseOptions & Served,
): Plan {
  const { method } = request;
  const current = validatorsOf(stored);
  const fields = fieldsOf(stored, current, options, request);
  const whole: Plan = { status: Status.OK, fields, ranges: [{ start: 0, end: stored.length }] };
  if (method !== "GET" && method !== "HEAD") return whole;

  const verdict = evaluatePreconditions(preconditionsOf(new RequestFields(request)), true, current);
  if (verdict === "failed") throw new HTTPError(Status.PreconditionFailed);
  if (verdict === "not modified") {
    return { status: Status.NotModified, fields: withoutDescription(fields), ranges: [] };
  }
  if (method === "HEAD") {
    fields.set("content-length", String(stored.length));
    return { status: Status.OK, fields, ranges: [] };
  }

  const ranges = rangesOf(request, stored, current);
  if (ranges === null) return whole;
  if (ranges.length === 1) fields.set("content-range", formatContentRange(ranges[0]!, stored.length));
  return { status: Status.PartialContent, fields, ranges };
}

function validatorsOf({ etag, lastModified }: FileState): Validators {
  // RFC 9110 §8.8.2.1: nothing is said to be younger than the response. NaN is neither.
  const isPast = lastModified !== null && lastModified.getTime() <= Date.now();
  const tag = etag === null ? null : parseEntityTag(etag);
  if (etag !== null && tag === null)
    throw new TypeError(
      `Cannot answer with the file: its etag must be an entity tag, quotes included, got ${described(etag)}`,
    );
  return { etag: tag, lastModified: isPast ? lastModified : null };
}

/** What a guard let one user have, shared caches would give to others. */
function reach(request: object): "private" | "public" {
  return isGuarded(request) ? "private" : "public";
}

const forAYear = ["max-age=31536000", "immutable"].join(", ");

/** PERF: where nobody gave fields, a Map holds them: `Headers` take half of the time of a 304 (`bench/files`). */
type Fields = Headers | Map<string, string>;

function fieldsOf(
  { etag, type, coding }: FileState,
  { lastModified }: Validators,
  { download, immutable = false, headers: given, vary = "" }: FileResponseOptions & Served,
  request: object,
): Fields {
  const fields: Fields = given === undefined ? new Map<string, string>() : new Headers(given);
  fields.set("content-type", type);
  fields.set("accept-ranges", "bytes");
  fields.set("x-content-type-options", "nosniff");
  if (etag !== null) fields.set("etag", etag);
  if (lastModified !== null) fields.set("last-modified", formatHttpDate(lastModified));
  if (vary !== "") fields.set("vary", vary);
  if (coding !== null) {
    fields.set("content-encoding", coding);
    addVary(fields, "Accept-Encoding");
  }
  if (download !== undefined && download !== false) {
    const name = download === true ? "" : download;
    fields.set("content-disposition", formatContentDisposition("attachment", name));
  }
  if (!fields.has("cache-control"))
    fields.set("cache-control", immutable ? `${reach(request)}, ${forAYear}` : "no-cache");
  return fields;
}

/** The ranges to answer with; null for all of the file. @throws {HTTPError} 416 when the file has none of them. */
function rangesOf(request: object, { length, coding }: FileState, current: Validators): ByteRange[] | null {
  const ranges = askedRanges(new RequestFields(request), length, current);
  // RFC 9110 §15.3.7.2 leaves open whether Content-Encoding is about the parts or about all of a multipart.
  return ranges !== null && ranges.length > 1 && coding !== null ? null : ranges;
}

function responseOf(plan: Plan, stored: FoundFile, close: () => void): Response {
  const [range, ...more] = plan.ranges;
  if (more.length > 0) return several(plan, stored, close);
  if (range !== undefined) return part(plan, range, contentOf(stored, range), stored, close);
  close();
  return response(null, plan);
}

function contentOf(stored: FoundFile, range: ByteRange): Content {
  const content = range.start === range.end ? new Uint8Array() : stored.read(range.start, range.end);
  if (isBytes(content)) checkLength(content, range);
  return content;
}

// Content up to this length is read at once.
const shortBytes = 65_536;

/**
 * Longer content is sent in parts: the platform's response copies its bytes, and so does a light one that somebody
 * reads.
 */
const mostBytes = OwnResponse === Response ? shortBytes : 4_194_304;

function part(plan: Plan, range: ByteRange, content: Content, stored: FoundFile, close: () => void): Response {
  const length = range.end - range.start;
  plan.fields.set("content-length", String(length));
  if (!isBytes(content) || length > mostBytes) return response(streamOf(stored, [range], close, content), plan);
  close();
  // A new view, because the bytes of a source are not ours to mark.
  return response(lend(Object.assign(content.subarray(), { [kept]: true }), takerOf(content)), plan);
}

/** Answers with several ranges (RFC 9110 §14.6). */
function several(plan: Plan, stored: FoundFile, close: () => void): Response {
  const { fields, ranges } = plan;
  const { type, length } = stored;
  const boundary = crypto.randomUUID();
  const encoder = new TextEncoder();
  const pieces: Piece[] = ranges.flatMap((range, at) => {
    const contentRange = formatContentRange(range, length);
    const delimiter = `${at === 0 ? "" : "\r\n"}--${boundary}`;
    const head = `${delimiter}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange}\r\n\r\n`;
    return [encoder.encode(head), range];
  });
  pieces.push(encoder.encode(`\r\n--${boundary}--\r\n`));
  const lengths = pieces.map((piece) => (isBytes(piece) ? piece.byteLength : piece.end - piece.start));
  fields.set("content-length", String(lengths.reduce((sum, one) => sum + one)));
  fields.set("content-type", `multipart/byteranges; boundary=${boundary}`);
  return response(streamOf(stored, pieces, close), plan);
}

function response(body: Uint8Array | ReadableStream | null, plan: Plan): Response {
  return new OwnResponse(body as BodyInit | null, { ...plan.status, headers: [...plan.fields], ...codedAlready });
}
