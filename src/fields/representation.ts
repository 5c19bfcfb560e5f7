import { Answer } from "../http/answer/carried-answer.ts";
import { isDate } from "../http/javascript/any-realm.ts";
import { described } from "../http/javascript/described.ts";
import { propertiesOf } from "../http/javascript/property.ts";
import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { Response } from "../http/message/response.ts";
import { Status } from "../http/protocol/status.ts";
import { formatEntityTag, parseEntityTag } from "./entity-tag.ts";
import { formatHttpDate } from "./http-date.ts";
import { isRangeCurrent, type Validators } from "./preconditions.ts";
import { formatContentRange, parseRange, type ByteRange } from "./range.ts";
import type { RequestFields } from "./request-fields.ts";

/**
 * Reads what `validator()` of a resource returned: null when nothing is there, `undefined` when it cannot say.
 * @param name the name of the class.
 * @throws {TypeError} for anything else.
 */
export function readValidators(value: unknown, name: string): Validators | null | undefined {
  if (value === null || value === undefined) return value;
  if (typeof value !== "object" || isDate(value) || Array.isArray(value)) {
    throw new TypeError(
      `Cannot evaluate preconditions: validator() of ${name} gave ${described(value)}; write { etag: '"7"', ` +
        "lastModified: new Date(…) }, each if there is one",
    );
  }
  // A member that nobody reads would leave a representation without its tag, in silence.
  const unknown = Object.keys(value).find((member) => !(members as readonly string[]).includes(member));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot evaluate preconditions: validator() of ${name} gave an object with ${described(unknown)}; write { ` +
        `etag: '"7"', lastModified: new Date(…) }, each if there is one`,
    );
  }
  const {
    etag: text,
    lastModified = null,
    headers = {},
  } = propertiesOf(value as { etag?: unknown; lastModified?: unknown; headers?: unknown }, members);
  const etag = text === undefined ? null : parseEntityTag(String(text));
  const isValid = lastModified === null || (isDate(lastModified) && !Number.isNaN(lastModified.getTime()));
  if ((text !== undefined && etag === null) || !isValid) {
    const wrong = isValid ? `the etag ${described(text)}` : `the lastModified ${described(lastModified)}`;
    throw new TypeError(
      `Cannot evaluate preconditions: validator() of ${name} gave ${wrong}; ` +
        "write { etag: '\"7\"', lastModified: new Date(…) }, each if there is one",
    );
  }
  const fields = Object.entries(headers as Record<string, string | undefined>).filter(
    (line): line is [string, string] => line[1] !== undefined,
  );
  return { etag, lastModified, fields: fields.map(([field, line]) => [field.toLowerCase(), line]) };
}

const members = ["etag", "lastModified", "headers"] as const;

/** The fields of a 200 that its 304 must have, besides validators (RFC 9110 §15.4.5). */
export type FieldOfUnmodified = "cache-control" | "content-location" | "expires" | "vary";

/**
 * The fields that name validators (RFC 9110 §8.8), and those that `validator()` gave with them. No representation is
 * younger than its response (§8.8.2.1).
 */
export function validatorFields(current: Validators | null | undefined): [string, string][] {
  const fields = [...(current?.fields ?? [])];
  if (current?.etag) fields.push(["etag", formatEntityTag(current.etag)]);
  if (current?.lastModified) {
    fields.push(["last-modified", formatHttpDate(new Date(Math.min(current.lastModified.getTime(), Date.now())))]);
  }
  return fields;
}

// RFC 9110 §15.4.5: fields of content are not repeated. Last-Modified is, if it is the only validator.
const descriptive: readonly string[] = /* @__PURE__ */ (
  "accept-ranges content-digest content-disposition content-encoding content-language content-length content-md5 " +
  "content-range content-type digest repr-digest trailer transfer-encoding"
).split(" ");

/**
 * Makes the response 304 to a request for what the client has already, with all fields that 200 would have had but
 * those.
 */
export function notModified(headers: Headers): Response {
  return new Response(null, { ...Status.NotModified, headers: withoutDescription(new Headers(headers)) });
}

/** Makes the same answer, of the fields that 200 would have had. */
export function unmodifiedAnswer(fields: Iterable<readonly [name: string, value: string]>): Answer {
  const answer = new Answer(Status.NotModified.status, [], null);
  answer.reason = Status.NotModified.statusText;
  for (const [name, value] of fields) answer.fields.append(name, value);
  withoutDescription(answer.fields);
  return answer;
}

/** Takes from the fields of a response those that 304 does not repeat. */
export function withoutDescription<Fields extends Pick<Headers, "delete" | "has"> | Map<string, string>>(
  fields: Fields,
): Fields {
  for (const name of descriptive) fields.delete(name);
  if (fields.has("etag")) fields.delete("last-modified");
  return fields;
}

/** Says what to send where a precondition is required (RFC 6585 §3). Caches do not keep it. */
export function preconditionRequired(): HTTPError {
  const message = "Send If-Match with the entity tag that the change is based on";
  return refusal(Status.PreconditionRequired, message, { "cache-control": "no-store" });
}

/**
 * Reads which bytes of a representation are asked for (RFC 9110 §14.2, §13.1.5); null for all of it.
 * @throws {HTTPError} 416 when it has none of them.
 */
export function askedRanges(
  fields: Pick<RequestFields, "get">,
  length: number,
  current: Validators | null,
): ByteRange[] | null {
  const range = fields.get("range");
  const ifRange = range === null ? null : fields.get("if-range");
  if (range === null || (ifRange !== null && !isRangeCurrent(ifRange, current))) return null;
  const ranges = parseRange(range, length);
  if (ranges !== "unsatisfiable") return ranges;
  throw refusal(Status.RangeNotSatisfiable, undefined, { "content-range": formatContentRange(null, length) });
}

/**
 * Computes an entity tag of content. The same bytes of another media type are another representation (RFC 9110 §8.8.1).
 */
export async function contentTag(content: Uint8Array, mediaType: string): Promise<string> {
  const suffix = new TextEncoder().encode(`\n${mediaType}`);
  const bytes = new Uint8Array(content.byteLength + suffix.byteLength);
  bytes.set(content);
  bytes.set(suffix, content.byteLength);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  // 128 bits are far more than chance can meet.
  return `"${btoa(String.fromCharCode(...digest.subarray(0, 16))).slice(0, 22)}"`;
}
