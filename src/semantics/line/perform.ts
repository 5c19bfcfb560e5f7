import { preferredMediaType } from "../../fields/accept.ts";
import type { Validators } from "../../fields/preconditions.ts";
import { unmodifiedAnswer } from "../../fields/representation.ts";
import { isAnySent } from "../../fields/request-preconditions.ts";
import { Answer, answerMade, refusalAnswer } from "../../http/answer/carried-answer.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import type { Bytes } from "../../http/javascript/bytes.ts";
import { isThenable } from "../../http/javascript/thenable.ts";
import type { PageContent } from "../declaration/page-content.ts";
import { isReply } from "../declaration/reply.ts";
import { allowedAt, type Allowed, type LineResource } from "./allowed.ts";
import type { Answered } from "./answer-under-way.ts";
import { answeredBy, declaredAnswer } from "./declared-answer.ts";
import { fieldsWith } from "./unmodified-fields.ts";
import { LineCall, type LineRequest } from "./line-call.ts";
import type { LineWrite } from "./keyed-write.ts";
import { lineWriteOf } from "./line-write.ts";
import { bytesFor } from "./read-content.ts";
import type { OperationModel } from "../operation/operation-model.ts";
import { validatorsAs, type Weighed } from "./plan.ts";
import { readFields, readPath } from "./read-parts.ts";
import { readTaken, refusePart, refuseUnread, takenMedia } from "./read-taken.ts";
import type { BytesContent } from "../declaration/raw-content.ts";
import type { Trace } from "./line-trace.ts";
import { cancel, concludedAnswer } from "./concluded-response.ts";
import { acceptable, isModified, notAcceptable } from "./request-conditions.ts";
import { contentTypeOf, mediumFor, ownMediaOf, preferredOf } from "./typed-content.ts";

/**
 * Performs one request on a resource of declared operations. An answer for which nothing waits is returned at once.
 * Every other one comes by a Promise. A refusal is an answer, too: nothing is thrown, and no Promise rejects.
 *
 * PERF: where nothing waits, no middleware waits either: 2 to 3 us of 38 with three of them (`node
 * bench/requests/kernel-less.js "fingerpost semantics" R4`). A Promise that rejects takes 0.7 us of 20 more in a 422 on
 * Bun (`node bench/requests.js --measure=sockets --runtime=bun`).
 *
 * @param trace notes what each step finds, for `explain()`. Null in service.
 */
export function perform(
  resource: LineResource,
  request: LineRequest,
  method: string,
  trace: Trace | null = null,
): Answer | Promise<Answer> {
  const steps = stepsOf(resource, request, method, trace);
  try {
    const { done, value } = steps.next();
    return done === true ? value : waited(steps, value, resource, method);
  } catch (error) {
    return refusedBy(error, resource, method);
  }
}

/** Goes on with the steps when what they wait for is there. */
async function waited(
  steps: ReturnType<typeof stepsOf>,
  first: unknown,
  resource: LineResource,
  method: string,
): Promise<Answer> {
  for (let waiting = first; ;) {
    let next: ReturnType<typeof steps.next>;
    try {
      try {
        next = steps.next(await waiting);
      } catch (error) {
        // An error of the steps themselves ended them: then they throw it again.
        next = steps.throw(error);
      }
    } catch (error) {
      return refusedBy(error, resource, method);
    }
    const { done, value } = next;
    if (done === true) return value;
    waiting = value;
  }
}

/** A reply is no error: whoever throws one would get 500 for its status. */
function refusedBy(error: unknown, { name }: LineResource, method: string): Answer {
  if (!isReply(error)) return refusalAnswer(error);
  const said = `reply(${error.status})`;
  return refusalAnswer(new TypeError(`Cannot answer ${method} of ${name}: ${said} was thrown; write return ${said}`));
}

/**
 * The steps of a request, one after another. Undeclared parts of an operation are not steps. What they yield is waited
 * for.
 */
function* stepsOf(
  resource: LineResource,
  request: LineRequest,
  method: string,
  trace: Trace | null,
): Generator<unknown, Answer, unknown> {
  // 1. Is the method allowed here? (405, RFC 9110 §15.5.6; HEAD from GET, §9.3.2; OPTIONS, §9.3.7)
  const allowed: Allowed = allowedAt(resource, request.params.pattern);
  const plan = allowed.planFor(method);
  trace?.allow(allowed, plan, resource.name, method, request);
  if (plan === null) {
    if (method === "OPTIONS") return new Answer(204, allowed.fields.flat(), null);
    throw refusal(Status.MethodNotAllowed, undefined, { allow: allowed.allow });
  }
  const { model } = plan;
  const call = new LineCall(request, allowed.paramNames);

  // 2. Is there such a resource? A path that its schema refuses names none. (404, §15.5.5)
  call.path = model.path === null ? Object.fromEntries(call.pathEntries()) : readPath(model.path, call);
  if (isThenable(call.path)) call.path = yield call.path;
  trace?.find(2, call.path);

  // 3. May the sender do this? (401, §15.5.2; 403, §15.5.4, for a scope that lacks or by `may`; a 404 that hides)
  if (plan.access !== null) {
    const asked = plan.access.isHiddenFrom(request);
    if (isThenable(asked) ? yield asked : asked) {
      trace?.endHidden();
      const hidden = declaredAnswer(resource, plan, call, plan.access.hiddenReply(), undefined, null);
      const made = isThenable(hidden) ? ((yield hidden) as Answer) : hidden;
      return (yield concludedAnswer(model, call.fields, method, made, null, null)) as Answer;
    }
  }
  trace?.find(3);

  // 4. Is the request well-formed? Query, fields and cookies are read, so that every failure is told at once. (400,
  //    §15.5.1)
  if (model.query !== null || model.headers !== null || model.cookies !== null || model.page !== null) {
    const reading = readFields(model, call.fields, call, call);
    if (isThenable(reading)) yield reading;
  }
  trace?.find(4, call.page);

  // 5. Is the content of a type that is taken? (415, also without a type, §15.5.16; QUERY 400, RFC 10008 §2; a part
  //    400, §14.5)
  if (model.content !== null || method === "PUT") refusePart(model, call.fields);
  if (model.content === null && method !== "GET" && method !== "HEAD") refuseUnread(model, call.carried);
  const taken = model.content === null ? null : takenMedia(model.content, call.carried, model.method);
  const media = isThenable(taken) ? ((yield taken) as Awaited<typeof taken>) : taken;
  trace?.find(5, media);

  // 6. Is a representation acceptable? (406, §15.5.7; of a WebSocket alone 426, §15.5.22, and 400, 403 for a handshake,
  //    RFC 6455 §4.2)
  const protocol = model.socket === null ? null : model.socket.check(request, method, model.produces.length > 0);
  call.isHandshake = protocol !== null;
  if (model.produces.length > 0) call.mediaType = acceptable(model, call.fields.get("accept"));
  trace?.find(6, call.mediaType);

  // 7. Is this a repeat? (400, 409, 422, or the first answer: draft-ietf-httpapi-idempotency-key-header §2)
  const writes = model.isOnce ? resource.writes : null;
  const write = writes && ((yield lineWriteOf(writes, resource, plan, call, media)) as LineWrite | null);
  const repeated = write && ((yield write.found()) as Answer | null);
  if (repeated !== null) {
    trace?.endRepeated(repeated.status);
    return repeated;
  }
  trace?.find(7, write);

  // 8. Do the preconditions hold? (412, 304, §13.2.2; 428, RFC 6585 §3)
  const preconditions = plan.weighs ? plan.preconditionsOf(call.fields) : null;
  const isAsked = model.hasValidator && plan.asksLate?.(request, preconditions!) !== true;
  const asked = isAsked ? plan.validatorsOf(call) : undefined;
  let weighed = isThenable(asked) ? ((yield asked) as Weighed) : asked;
  // Where a read may still be refused, its refusal comes first (§13.2.1): it is weighed after the handler.
  const isWeighed = preconditions !== null && !plan.isRefusable;
  if (isWeighed && !isReply(weighed) && !isModified(model, preconditions, weighed, plan.isTyped)) {
    trace?.endUnmodified();
    return unmodifiedAnswer(fieldsWith(plan.fields, weighed));
  }
  trace?.find(8, weighed);

  // 9. Does the content fit? (400 where it cannot be read, 413, §15.5.14, 422, §15.5.21)
  if (model.content !== null && !isReply(weighed)) {
    call.contentType = media === null ? "" : contentTypeOf(media, call.fields);
    const known = write && ((yield write.content()) as Bytes);
    const given = bytesFor(media, call.carried, known);
    const bytes = isThenable(given) ? ((yield given) as Awaited<typeof given>) : given;
    call.content = readTaken(model.content, media, call.carried, bytes);
    if (isThenable(call.content)) call.content = yield call.content;
    if (call.content instanceof Answer) return call.content;
    // A slow upload lies between: what changed meanwhile must not be overwritten.
    if (model.hasValidator && !plan.isMade && isAnySent(preconditions!)) {
      const again = plan.validatorsOf(call);
      weighed = isThenable(again) ? ((yield again) as Weighed) : again;
      if (!isReply(weighed)) isModified(model, preconditions!, weighed);
    }
  }
  trace?.find(9, media);

  // 10. What does the handler answer?
  trace?.find(10);
  let current = isReply(weighed) ? undefined : weighed;
  if (write !== null && !isReply(weighed)) return (yield write.answered()) as Answer;
  let given: unknown = isReply(weighed) ? weighed : plan.handler(call);
  if (isThenable(given)) given = yield given;
  if (plan.isMade && !isReply(given)) return answerMade(given as Response);
  if (plan.opened?.is(given)) given = yield plan.opened.open(given, `${model.method} of ${resource.name}`, call);
  let answer = answeredBy(given, plan.emptyStatus);

  if (answer.status === 101 && model.socket !== null) {
    const { content: handlers, headers: options } = answer;
    const { name, replies } = resource;
    const onError = (error: unknown): void => resource.onError(error, request);
    const isChecked = replies === "check";
    const { mounted } = model;
    return answerMade(model.socket.accept({ request, mounted, name, handlers, protocol, options, isChecked, onError }));
  }
  if (plan.isTyped && answer.status < 300) current = ofOwnType(model, call, answer, current);
  const isWeighedLate = plan.isRefusable || (plan.isTyped && preconditions !== null);
  if (isWeighedLate && answer.status === 200 && !isModified(model, preconditions!, current)) {
    cancel(answer.content);
    trace?.endUnmodified();
    return unmodifiedAnswer(fieldsWith(plan.fields, current));
  }

  let link: string | null = null;
  if (model.page !== null && answer.status === 200) {
    const page = (yield pageOf(model.page, answer, call)) as Page;
    answer = { ...answer, content: page.content };
    // What a link leads to is asked by GET.
    if (method !== "QUERY") ({ link } = page);
  }

  // 11. Is it what is declared? (500 if not: the server is at fault)
  // 12. Which fields has it? ETag and Last-Modified (§8.8), Vary (§12.5.5), Cache-Control, Deprecation, Prefer.
  const declared = declaredAnswer(resource, plan, call, answer, current, link);
  if (!isThenable(declared) && method !== "HEAD") return declared;
  const made = isThenable(declared) ? ((yield declared) as Answer) : declared;

  // 13. Has the client got it? (304, §13.2.2) 14. Which part of it? (206, 416, §14.2, and If-Range, §13.1.5)
  return (yield concludedAnswer(model, call.fields, method, made, preconditions, current ?? null)) as Answer;
}

/**
 * Returns the validators of the representation that an answer is: content may have a declared type already.
 * @throws {HTTPError} 406 when the client does not accept that.
 */
function ofOwnType(
  model: OperationModel,
  call: LineCall,
  answer: Answered,
  current: Validators | null | undefined,
): Validators | null | undefined {
  const declared = model.answers.get(answer.status);
  const own = declared && ownMediaOf(declared, answer);
  const accept = call.fields.get("accept");
  const medium = own === null ? mediumFor(declared!, call.mediaType) : own && preferredOf(own, accept);
  if (medium === undefined) {
    // Step 11 reports content of no declared type.
    if (!own?.length) return current;
    cancel(answer.content);
    throw notAcceptable(own.map(({ type }) => type));
  }
  const stored = medium.isRange ? (medium.raw as BytesContent).sending.typeWithin(medium.type, answer) : null;
  if (stored !== null && preferredMediaType(accept, [stored]) === null) {
    cancel(answer.content);
    throw notAcceptable([stored]);
  }
  // Step 12 knows of events.
  const isAsWeighed = medium.type === call.mediaType || medium.raw?.kind === "events";
  return current && !isAsWeighed ? validatorsAs(model, medium.type, call.version, current) : current;
}

type Page = Awaited<ReturnType<PageContent["~cursors"]["write"]>>;

/** Writes the place of the last item as a cursor. */
function pageOf(page: PageContent["~cursors"], { content }: Answered, call: LineCall): Promise<Page> {
  return page.write(Object(content) as object, call.queryText(), call.request.params);
}
