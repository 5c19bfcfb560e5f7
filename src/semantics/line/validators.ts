import { formatEntityTag, parseEntityTag } from "../../fields/entity-tag.ts";
import { formatHttpDate, parseHttpDate } from "../../fields/http-date.ts";
import {
  evaluatePreconditions,
  isRangeCurrent,
  type Preconditions,
  type Validators,
} from "../../fields/preconditions.ts";
import { formatContentRange, parseRange } from "../../fields/range.ts";
import { described } from "../../http/described.ts";
import { HTTPError } from "../../http/http-error.ts";
import { Status } from "../../http/status.ts";
import type { Plan } from "./plan.ts";

/** The preconditions of a request (RFC 9110 §13.1). */
export function preconditionsOf(headers: Headers): Preconditions {
  return {
    ifMatch: headers.get("if-match"),
    ifNoneMatch: headers.get("if-none-match"),
    ifModifiedSince: headers.get("if-modified-since"),
    ifUnmodifiedSince: headers.get("if-unmodified-since"),
  };
}

/** Whether a precondition is there that can keep a method from being performed. */
export function isConditional(preconditions: Preconditions, current: Validators | null | undefined): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = preconditions;
  if (ifMatch !== null || ifNoneMatch !== null) return true;
  const isDate = ifUnmodifiedSince !== null && parseHttpDate(ifUnmodifiedSince) !== null;
  return isDate && (current === undefined || (current?.lastModified ?? null) !== null);
}

/** Reads what `validator()` returned: null when nothing is there, `undefined` when it cannot say. @throws {TypeError} for anything else. */
export function validatorsOf(value: unknown, name: string): Validators | null | undefined {
  if (value === null || value === undefined) return value;
  const { etag: text, lastModified = null } = value as { etag?: unknown; lastModified?: unknown };
  const etag = text === undefined ? null : parseEntityTag(String(text));
  const isDate = lastModified === null || (lastModified instanceof Date && !Number.isNaN(lastModified.getTime()));
  if ((text === undefined || etag !== null) && isDate) return { etag, lastModified };
  const wrong = isDate ? `the etag ${described(text)}` : `the lastModified ${described(lastModified)}`;
  throw new TypeError(
    `Cannot evaluate preconditions: validator() of ${name} gave ${wrong}; ` +
      "write { etag: '\"7\"', lastModified: new Date(…) }, each if there is one",
  );
}

/** The fields that name validators (RFC 9110 §8.8). No representation is younger than its response. */
export function validatorFields(current: Validators | null | undefined): [string, string][] {
  const fields: [string, string][] = [];
  if (current?.etag) fields.push(["etag", formatEntityTag(current.etag)]);
  if (current?.lastModified) {
    fields.push(["last-modified", formatHttpDate(new Date(Math.min(current.lastModified.getTime(), Date.now())))]);
  }
  return fields;
}

/** Answers 304: without what describes content (RFC 9110 §15.4.5). */
export function notModified(headers: Headers): Response {
  for (const name of [
    "content-type",
    "content-length",
    "content-encoding",
    "content-language",
    "content-range",
    "accept-ranges",
  ]) {
    headers.delete(name);
  }
  if (headers.has("etag")) headers.delete("last-modified");
  return new Response(null, { status: 304, headers });
}

/** An answer, and its content where that is whole. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly content: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null;
}

/** Concludes an answer: a tag of its content where that is declared, 304, a part of it, and no content for HEAD. */
export async function concluded(
  plan: Plan,
  { headers: asked }: Request,
  method: string,
  whole: WholeResponse,
  preconditions: Preconditions,
  current: Validators | null,
): Promise<Response> {
  const { status, headers } = whole;
  let { content } = whole;
  let validators = current;
  if (plan.operation.etag === "content" && plan.isRead && status === 200 && !headers.has("etag") && isWhole(content)) {
    headers.set("etag", await tagOf(content, headers.get("content-type")!));
    validators = { etag: parseEntityTag(headers.get("etag")!), lastModified: current?.lastModified ?? null };
    const verdict = evaluatePreconditions(preconditions, true, validators);
    if (verdict === "failed") throw new HTTPError(Status.PreconditionFailed);
    if (verdict === "not modified") return notModified(headers);
  }
  const length = lengthOf(content);
  if (plan.method === "GET" && status === 200 && (content instanceof Blob || content instanceof Uint8Array)) {
    headers.set("accept-ranges", "bytes");
    const ifRange = asked.get("if-range");
    const range =
      method === "GET" && (ifRange === null || isRangeCurrent(ifRange, validators)) ? asked.get("range") : null;
    const ranges = range === null ? null : parseRange(range, length!);
    if (ranges === "unsatisfiable") {
      const fields = { "content-range": formatContentRange(null, length!) };
      throw new HTTPError(Status.RangeNotSatisfiable, undefined, { headers: fields });
    }
    // Several ranges may be answered by the whole (RFC 9110 §14.2).
    if (ranges !== null && ranges.length === 1) {
      const [one] = ranges as [{ start: number; end: number }];
      headers.set("content-range", formatContentRange(one, length!));
      headers.set("content-length", String(one.end - one.start));
      content = content.slice(one.start, one.end) as Blob | Uint8Array<ArrayBuffer>;
      return new Response(content, { status: 206, headers });
    }
  }
  if (length !== null) headers.set("content-length", String(length));
  if (method === "HEAD") {
    if (content instanceof ReadableStream) void content.cancel().catch(() => {});
    content = null;
  }
  return new Response(content, { status, headers });
}

function isWhole(content: WholeResponse["content"]): content is string | Uint8Array<ArrayBuffer> {
  return typeof content === "string" || content instanceof Uint8Array;
}

function lengthOf(content: WholeResponse["content"]): number | null {
  if (typeof content === "string") return new TextEncoder().encode(content).byteLength;
  if (content instanceof Blob) return content.size;
  return content instanceof Uint8Array ? content.byteLength : null;
}

/** 128 bits of the content and its type: the same bytes of another type are another representation (RFC 9110 §8.8.1). */
async function tagOf(content: string | Uint8Array<ArrayBuffer>, type: string): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const suffix = new TextEncoder().encode(`\n${type}`);
  const all = new Uint8Array(bytes.byteLength + suffix.byteLength);
  all.set(bytes);
  all.set(suffix, bytes.byteLength);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  return `"${btoa(String.fromCharCode(...digest.subarray(0, 16))).slice(0, 22)}"`;
}
