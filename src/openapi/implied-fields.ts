import { withoutDescription } from "../fields/representation.ts";
import { fixedFieldsOf } from "../semantics/operation/fixed-fields.ts";
import { challengesOf } from "../semantics/operation/guards-model.ts";
import { isValidated, mayBeMinimal, type OperationModel } from "../semantics/operation/operation-model.ts";
import { mayBeReplayed } from "../semantics/operation/replayed-status.ts";
import { impliedStatusesAt, type DescribedOperation } from "./described-operation.ts";
import type { DocumentedResponse } from "./openapi-document.ts";

type Fields = NonNullable<DocumentedResponse["headers"]>;

/** Adds to the answers of an operation the fields that they have without a declaration, and leaves declared ones. */
export function addImpliedFields(responses: Record<string, DocumentedResponse>, operation: DescribedOperation): void {
  const { model } = operation;
  const whole = responses[200]?.headers;
  const asWhole = (status: number, fields: Fields): void => {
    const response = responses[status];
    if (response !== undefined) responses[status] = withFields(response, optionalOf(fields));
  };
  if (whole !== undefined && model.isOnLine) {
    if (mayBeMinimal(model, 200)) asWhole(204, whole);
    if (model.declaration.etag === "content") asWhole(304, keptBy304(whole));
  }
  const implied = new Set(impliedStatusesAt(operation));
  for (const [status, response] of Object.entries(responses)) {
    const fields = impliedFieldsOf(Number(status), model, implied.has(Number(status)));
    if (Object.keys(fields).length > 0) responses[status] = withFields(response, fields);
  }
}

function withFields(response: DocumentedResponse, fields: Fields): DocumentedResponse {
  const declared = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  const added = Object.entries(fields).filter(([name]) => !declared.has(name.toLowerCase()));
  return { ...response, headers: { ...response.headers, ...Object.fromEntries(added) } };
}

/** The fields of 200 that 304 has, too. */
function keptBy304(fields: Fields): Fields {
  const kept = withoutDescription(new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name])));
  return Object.fromEntries([...kept.values()].map((name) => [name, fields[name]]));
}

/** The same fields where an answer may lack them. */
function optionalOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields as Record<string, object>).map(([name, field]) => [name, { ...field, required: false }]),
  );
}

/**
 * Returns the fields that answers of a status have without a declaration: what the line adds, and what a status must
 * have.
 *
 * @param isImplied whether the line itself answers so, besides handlers and guards.
 */
function impliedFieldsOf(status: number, model: OperationModel, isImplied: boolean): Fields {
  const names = new Set<string>(requiredBy(status, model));
  if (model.isOnLine) {
    for (const name of ofAnswer(status, model, isImplied)) names.add(name);
    if (isImplied) for (const name of ofRefusal(status, model.method)) names.add(name);
  }
  return Object.fromEntries(
    [...names].map((name) => [name, { description: descriptions[name], schema: { type: "string" } }]),
  );
}

/** The field that a status must have, whoever sends it (RFC 9110 §15.5.2, §15.5.6). */
function requiredBy(status: number, { guards, declaration }: OperationModel): readonly string[] {
  const isOfGuard = guards.some(({ answers }) => answers.has(status));
  if (status === 401) return isOfGuard || challengesOf(guards, declaration).length > 0 ? ["WWW-Authenticate"] : [];
  return status === 405 && isOfGuard ? ["Allow"] : [];
}

function* ofAnswer(status: number, model: OperationModel, isImplied: boolean): Generator<string> {
  const { answers, method, hasValidator, page, produces, declaration } = model;
  const declared = answers.get(status);
  if (declared === undefined && !isImplied) return;
  // A connection has the fields of a handshake.
  if (status === 101) return;
  if (status < 400) for (const [name] of fixedFieldsOf(model)) yield canonicalOf(name);
  const isOfWhole = isImplied && (status === 206 || (status === 304 && declaration.etag === "content"));
  const media = (isOfWhole ? answers.get(200) : declared)?.media ?? [];
  const kinds = new Set(media.map(({ raw }) => raw?.kind));
  const isTagged = declared === undefined || media.length === 0 || media.some(({ raw }) => raw?.kind !== "events");
  if (isTagged && isValidated(model)) {
    if (hasValidator && (status < 300 || status === 304)) yield* ["ETag", "Last-Modified"];
    if (declaration.etag === "content" && [200, 206, 304].includes(status)) yield "ETag";
  }
  if (!isOfWhole && kinds.has("events")) yield "Cache-Control";
  if (!isOfWhole && (kinds.has("events") || kinds.has("lines"))) yield "X-Accel-Buffering";
  if (media.some(({ raw, type }) => raw?.kind === "bytes" && /^application\/octet-stream(?:;|$)/i.test(type)))
    yield "X-Content-Type-Options";
  if (status >= 300 && media.length > 1 && (status >= 400 || produces.length < 2)) yield "Vary";
  if (method === "GET" && ((status === 200 && kinds.has("bytes")) || (status === 206 && isImplied)))
    yield "Accept-Ranges";
  if (method === "GET" && status === 200 && page !== null) yield "Link";
  if (status === 204 && mayBeMinimal(model, 200) && answers.has(200)) yield* ["Preference-Applied", "Vary"];
  if (mayBeReplayed(model, status)) yield "Idempotent-Replayed";
}

/** The fields of an answer that a step of the line ends with. */
function ofRefusal(status: number, method: string): readonly string[] {
  const ofMethod = { PATCH: "Accept-Patch", QUERY: "Accept-Query" }[method];
  if (status === 206 || status === 416) return ["Content-Range"];
  if (status === 400 && method === "QUERY") return ["Accept-Query"];
  if (status === 415) return ["Accept", "Accept-Encoding", ...(ofMethod === undefined ? [] : [ofMethod])];
  return refusals[status] ?? [];
}

const refusals: Readonly<Record<number, readonly string[]>> = {
  406: ["Vary"],
  409: ["Retry-After"],
  426: ["Upgrade", "Sec-WebSocket-Version"],
  428: ["Cache-Control"],
};

const descriptions: Readonly<Record<string, string>> = {
  Accept: "The media types of content that are taken",
  "Accept-Encoding": "The content codings of requests that are taken",
  "Accept-Patch": "The media types of patches that are taken (RFC 5789)",
  "Accept-Query": "The media types of queries that are taken (RFC 10008)",
  "Accept-Ranges": "The unit of ranges",
  Allow: "The methods that there are",
  "Cache-Control": "Who may keep the answer, and how long",
  "Content-Range": "Which part of the content it is, or how long the content is",
  Deprecation: "The day from which the operation is deprecated (RFC 9745)",
  ETag: "The entity tag of the representation",
  "Idempotent-Replayed": "Says that it is the first answer to this key",
  "Last-Modified": "The date of the last change",
  Link: "Related pages (RFC 8288)",
  "Preference-Applied": "The preferences that were followed (RFC 7240)",
  "Retry-After": "When to come back",
  "Sec-WebSocket-Version": "The version of WebSocket that is spoken",
  Sunset: "The day from which the operation may be gone (RFC 8594)",
  Upgrade: "The protocol to change to",
  Vary: "The fields of requests by which the answer was chosen",
  "WWW-Authenticate": "How to authenticate",
  "X-Accel-Buffering": "Keeps proxies from holding the content back",
  "X-Content-Type-Options": "Keeps browsers from guessing the type",
};

const canonical = new Map(Object.keys(descriptions).map((name) => [name.toLowerCase(), name]));

function canonicalOf(name: string): string {
  return canonical.get(name)!;
}
