import { preferredMediaType } from "../../fields/accept.ts";
import { parseCookies } from "../../fields/cookie.ts";
import { parseList } from "../../fields/list.ts";
import { parseMediaType, specificityOf } from "../../fields/media-type.ts";
import { evaluatePreconditions, type Validators } from "../../fields/preconditions.ts";
import { HTTPError } from "../../http/http-error.ts";
import { Status } from "../../http/status.ts";
import { failuresOf, type Failure, type FailurePart } from "../content/issues.ts";
import type { StandardSchema } from "../declaration/standard-schema.ts";
import type { ReadTexts } from "../content/text-reader.ts";
import { isReply } from "../declaration/reply.ts";
import { allowedAt, type Allowed, type LinePlace } from "./allowed.ts";
import { answerResponse, type Answered } from "./answer-response.ts";
import { LineCall, type LineRequest } from "./line-call.ts";
import type { Part, Plan, RequestMedia } from "./plan.ts";
import { readContent } from "./read-content.ts";
import { concluded, isConditional, notModified, preconditionsOf, validatorFields, validatorsOf } from "./validators.ts";

/**
 * Performs one request on a resource of declared operations, step by step. What an operation does not declare is no step.
 *
 * @throws {HTTPError} what a step refuses.
 */
export async function perform(place: LinePlace, request: LineRequest, method: string): Promise<Response> {
  // 1. Is the method allowed here? (405, RFC 9110 §15.5.6; HEAD from GET, §9.3.2; OPTIONS, §9.3.7)
  const allowed: Allowed = allowedAt(place, request.params.pattern);
  const plan = allowed.planFor(method);
  if (plan === null) {
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: allowed.fields });
    throw new HTTPError(Status.MethodNotAllowed, undefined, { headers: { allow: allowed.allow } });
  }
  const { operation } = plan;
  const call = new LineCall(request, place.namesOf(request.params.pattern));
  const failures: Failure[] = [];

  // 2. Is there such a resource? A path that its schema refuses names none. (404, §15.5.5)
  if (plan.path !== null) {
    call.path = await fitted(plan.path, plan.path.reader.readEntries(call.pathEntries()), "path", failures);
    if (failures.length > 0) throw new HTTPError(Status.NotFound);
  }

  // 3. Is the request well-formed? All parts are read, so that every failure is told at once. (400, §15.5.1)
  if (plan.query !== null)
    call.query = await fitted(plan.query, plan.query.reader.readUrlEncoded(call.queryText()), "query", failures);
  if (plan.headers !== null)
    call.headers = await fitted(plan.headers, plan.headers.reader.readNamed(request.headers), "header", failures);
  if (plan.cookies !== null) {
    const cookies = parseCookies(request.headers.get("cookie") ?? "");
    call.cookies = await fitted(plan.cookies, plan.cookies.reader.readNamed(cookies), "cookie", failures);
  }
  if (failures.length > 0) throw refusedFor(failures, Status.BadRequest, "The request does not fit");

  // 4. Is the content of a type that is taken? (415, §15.5.16; of QUERY without a type 400, RFC 10008 §2)
  const media = plan.content === null ? null : takenMedia(plan, request);

  // 5. Is a representation acceptable? (406, §15.5.7)
  if (plan.produces.length > 0) {
    const mediaType = preferredMediaType(request.headers.get("accept"), plan.produces);
    if (mediaType === null) {
      const headers = { vary: "Accept" };
      throw new HTTPError(Status.NotAcceptable, `Available: ${plan.produces.join(", ")}`, { headers });
    }
    call.mediaType = mediaType;
  }

  // 6. Do the preconditions hold? (412, 304, §13.2.2; 428, RFC 6585 §3)
  const preconditions = preconditionsOf(request.headers);
  const current: Validators | null | undefined =
    plan.resource.validator === undefined || !plan.takesPreconditions
      ? undefined
      : validatorsOf(await plan.resource.validator(call), place.name);
  const isRequired = operation.conditional === "required" && plan.takesPreconditions;
  if (isRequired && current !== null && !isConditional(preconditions, current)) {
    throw new HTTPError(Status.PreconditionRequired, "Send If-Match with the entity tag that the change is based on", {
      headers: { "cache-control": "no-store" },
    });
  }
  // Without a representation a read goes on to the 404 of its handler (§13.2.1), but for `If-Match`, which fails.
  const isAsked = current !== undefined && !(current === null && plan.isRead && preconditions.ifMatch === null);
  if (isAsked) {
    const verdict = evaluatePreconditions(preconditions, plan.isRead, current);
    if (verdict === "failed") throw new HTTPError(Status.PreconditionFailed);
    if (verdict === "not modified") return notModified(new Headers(fieldsWith(plan, current)));
  }

  // 7. Does the content fit? (400 where it cannot be read, 413, §15.5.14, 422, §15.5.21)
  if (media !== null) {
    call.contentType = media.type;
    const { value, failures: unread } = await readContent(request, media);
    call.content = media.schema === null ? value : await validated(media.schema, value, "content", failures, unread);
    if (failures.length > 0) throw refusedFor(failures, Status.UnprocessableContent, "The content does not fit");
  } else if (plan.content !== null) {
    call.content = undefined;
  }

  // 8. What does the handler answer?
  const given: unknown = await plan.handler(call);
  const answer: Answered = isReply(given)
    ? given
    : { status: given === undefined && !plan.answers.has(200) ? 204 : 200, content: given, headers: undefined };

  // 9. Is it what is declared? (500 if not: the server is at fault)
  // 10. The response and its fields: ETag and Last-Modified (§8.8), Vary (§12.5.5), Cache-Control, Deprecation, Prefer.
  const response = await answerResponse(
    place,
    plan,
    call,
    answer,
    fieldsWith(plan, answer.status < 300 && plan.isRead ? current : null),
  );

  // 11. Has the client got it? (304, §13.2.2) 12. Which part of it? (206, 416, §14.2, and If-Range, §13.1.5)
  return concluded(plan, request, method, response, preconditions, current ?? null);
}

async function fitted(
  { schema }: Part,
  { values, failures: unread }: ReadTexts,
  name: FailurePart,
  failures: Failure[],
): Promise<unknown> {
  return validated(schema, values, name, failures, unread);
}

async function validated(
  schema: StandardSchema,
  value: unknown,
  part: FailurePart,
  failures: Failure[],
  unread: ReadTexts["failures"] = [],
): Promise<unknown> {
  const { vendor, validate } = schema["~standard"];
  const outcome = await validate(value);
  if (outcome.issues === undefined && unread.length === 0) return outcome.value;
  failures.push(...failuresOf(part, { vendor, sent: value, issues: outcome.issues ?? [], unread }));
  return undefined;
}

function refusedFor(
  errors: readonly Failure[],
  status: (typeof Status)["BadRequest"] | (typeof Status)["UnprocessableContent"],
  detail: string,
): HTTPError {
  return Object.assign(new HTTPError(status, detail), { errors });
}

/** The declared media type that the content of a request has; null where it has none and may have none. */
function takenMedia({ content, method }: Plan, request: Request): RequestMedia | null {
  const { media, types, isOptional } = content!;
  const type = request.headers.get("content-type");
  if (type === null) {
    if (isOptional && !hasContent(request)) return null;
    if (method === "QUERY")
      throw new HTTPError(Status.BadRequest, "A QUERY needs a content type", { headers: { "accept-query": types } });
  }
  if (isCoded(request)) {
    // RFC 9110 §12.5.3: so the client knows that its type is not what was refused.
    const headers = { "accept-encoding": "identity" };
    throw new HTTPError(Status.UnsupportedMediaType, "The content has a content coding", { headers });
  }
  const given = type === null ? null : parseMediaType(type);
  const isUtf8 = /^(?:utf-?8)?$/i.test(given?.parameters.get("charset") ?? "");
  const found =
    given !== null && isUtf8 ? media.find(({ range }) => specificityOf(withoutCharset(range), given) > 0) : undefined;
  if (found !== undefined) return found;
  const field = { PATCH: "accept-patch", QUERY: "accept-query" }[method as string];
  throw new HTTPError(Status.UnsupportedMediaType, undefined, {
    headers: { accept: types, ...(field === undefined ? {} : { [field]: types }) },
  });
}

/** Whether content is compressed, or said to be: nothing here could read it (RFC 9110 §8.4). */
function isCoded({ headers }: Request): boolean {
  const codings = headers.get("content-encoding");
  return codings !== null && parseList(codings).some((coding) => coding.toLowerCase() !== "identity");
}

function withoutCharset<Range extends { readonly parameters: ReadonlyMap<string, string> }>(range: Range): Range {
  return range.parameters.has("charset")
    ? { ...range, parameters: new Map([...range.parameters].filter(([name]) => name !== "charset")) }
    : range;
}

function hasContent({ headers, body }: Request): boolean {
  const length = headers.get("content-length");
  return length === null ? headers.has("transfer-encoding") || body !== null : !/^0+$/.test(length);
}

/** The fields of an answer below 400, those of 304 too (RFC 9110 §15.4.5). */
function fieldsWith({ fields, produces }: Plan, current: Validators | null | undefined): [string, string][] {
  const own = fields.map(([name, value]): [string, string] => [name, value]);
  if (produces.length > 1) own.push(["vary", "Accept"]);
  return [...own, ...validatorFields(current)];
}
