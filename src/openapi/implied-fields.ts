import { withoutDescription } from "../fields/representation.ts";
import { describedMembers } from "../semantics/operation/described-members.ts";
import type { FixedField } from "../semantics/operation/answer-field.ts";
import { audienceFieldsOf, fixedFieldsOf } from "../semantics/operation/fixed-fields.ts";
import { challengesOf } from "../semantics/operation/guards-model.ts";
import { memberFieldsOf } from "../semantics/operation/members.ts";
import { isTagged, isValidated, mayBeMinimal, type OperationModel } from "../semantics/operation/operation-model.ts";
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
 * @param isImplied whether the line itself answers so, besides handlers and guards.
 */
function impliedFieldsOf(status: number, model: OperationModel, isImplied: boolean): Fields {
  const all = requiredBy(status, model);
  if (model.isOnLine) {
    all.push(...ofAnswer(status, model, isImplied));
    if (isImplied) all.push(...ofRefusal(status, model.method));
  }
  const fields: Record<string, object> = {};
  for (const name of all) fields[name] ??= { description: descriptionOf(name), schema: { type: "string" } };
  return fields;
}

/** The field that a status must have, whoever sends it (RFC 9110 §15.5.2, §15.5.6). */
function requiredBy(status: number, { guards, declaration }: OperationModel): string[] {
  const isOfGuard = guards.some(({ answers }) => answers.has(status));
  if (status === 401) return isOfGuard || challengesOf(guards, declaration).length > 0 ? ["WWW-Authenticate"] : [];
  return status === 405 && isOfGuard ? ["Allow"] : [];
}

function* ofAnswer(status: number, model: OperationModel, isImplied: boolean): Generator<string> {
  const { answers, method, hasValidator, page, declaration } = model;
  const declared = answers.get(status);
  // A connection has the fields of a handshake.
  if (status === 101) return;
  const isOfLine = declared !== undefined || isImplied;
  if (isOfLine && status < 400) yield* namesOf(fixedFieldsOf(model));
  // A path that no expression takes has no resource, and so nobody whom the answer is for.
  else if (status >= 300 && !(status === 404 && isImplied && model.path === null))
    yield* namesOf(audienceFieldsOf(model));
  if (!isOfLine) return;
  const isOfWhole = isImplied && (status === 206 || (status === 304 && declaration.etag === "content"));
  const media = (isOfWhole ? answers.get(200) : declared)?.media ?? [];
  const kinds = new Set(media.map(({ raw }) => raw?.kind));
  if (hasValidator && isValidated(model) && (status < 300 || status === 304) && isTagged(model, status))
    yield* ["ETag", "Last-Modified"];
  if (status === 204 && mayBeMinimal(model, 200) && answers.has(200)) yield* ["Preference-Applied", "Vary"];
  if (status >= 300 && media.length > 1) yield "Vary";
  for (const field of memberFieldsOf(model)) if ("isOn" in field && field.isOn(status)) yield field.name;
  if (!isOfWhole && kinds.has("events")) yield "Cache-Control";
  if (!isOfWhole && (kinds.has("events") || kinds.has("lines"))) yield "X-Accel-Buffering";
  if (status !== 304 && media.some(({ raw }) => raw !== null && "disposition" in raw)) yield "Content-Disposition";
  if (media.some(({ raw, type }) => raw?.kind === "bytes" && /^application\/octet-stream(?:;|$)/i.test(type)))
    yield "X-Content-Type-Options";
  if (method === "GET" && ((status === 200 && kinds.has("bytes")) || (status === 206 && isImplied)))
    yield "Accept-Ranges";
  if (method === "GET" && status === 200 && page !== null) yield "Link";
}

/** The fields of an answer that a step of the line ends with. */
function ofRefusal(status: number, method: string): readonly string[] {
  const ofMethod = { PATCH: "Accept-Patch", QUERY: "Accept-Query" }[method];
  if (status === 206 || status === 416) return ["Content-Range"];
  if (status === 400 && method === "QUERY") return ["Accept-Query"];
  if (status === 415) return ["Accept", "Accept-Encoding", ...(ofMethod === undefined ? [] : [ofMethod])];
  if (status === 426) return ["Upgrade", "Sec-WebSocket-Version"];
  return status === 406 ? ["Vary"] : [];
}

/** Descriptions of the fields that no member alone is the reason of. */
const descriptions: Readonly<Record<string, string>> = {
  Accept: "The media types of content that are taken",
  "Accept-Encoding": "The content codings of requests that are taken",
  "Accept-Patch": "The media types of patches that are taken (RFC 5789)",
  "Accept-Query": "The media types of queries that are taken (RFC 10008)",
  "Accept-Ranges": "The unit of ranges",
  Allow: "The methods that there are",
  "Cache-Control": "Who may keep the answer, and how long",
  "Content-Disposition": "Whether to save the content, and under which name (RFC 6266)",
  "Content-Range": "Which part of the content it is, or how long the content is",
  ETag: "The entity tag of the representation",
  "Last-Modified": "The date of the last change",
  Link: "Related pages (RFC 8288)",
  "Preference-Applied": "The preferences that were followed (RFC 7240)",
  "Sec-WebSocket-Version": "The version of WebSocket that is spoken",
  Upgrade: "The protocol to change to",
  Vary: "The fields of requests by which the answer was chosen",
  "WWW-Authenticate": "How to authenticate",
  "X-Accel-Buffering": "Keeps proxies from holding the content back",
  "X-Content-Type-Options": "Keeps browsers from guessing the type",
};

function namesOf(fields: readonly FixedField[]): string[] {
  return fields.map(({ name }) => name);
}

function descriptionOf(name: string): string | undefined {
  const ofMembers = Object.values(describedMembers).map(({ fieldTexts }) => fieldTexts?.[name]);
  return descriptions[name] ?? ofMembers.find((text) => text !== undefined);
}
