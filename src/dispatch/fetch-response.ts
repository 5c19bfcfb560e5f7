import { Answer, noError } from "../http/answer/carried-answer.ts";
import { isError } from "../http/javascript/any-realm.ts";
import { isThenable } from "../http/javascript/thenable.ts";
import { copiedResponse } from "../http/message/copied-response.ts";
import { described } from "../http/javascript/described.ts";
import { discard } from "../http/message/discarded-content.ts";
import { notePassed } from "../http/message/framed-content.ts";
import type { HeadersOrList } from "../http/answer/field-list.ts";
import { lightContent, takeAnswer } from "../http/message/light-response.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { withinFailure } from "./failed-within.ts";
import { addLeft, errorResponse, print } from "./error-response.ts";
import { lateWork, type LateWork } from "./late-work.ts";
import type { ReceivedRequest } from "./params.ts";
import { running } from "./runtime-host.ts";

/**
 * Observes an error that ended a request. It may return a `Response`, or another error, which is sent like all errors.
 *
 * @param input the input of `fetch`; its `params?.pattern` is a name for logs that no client chooses.
 */
export type OnError = (error: unknown, input: ReceivedRequest) => Observed | void | Promise<Observed | void>;

type Observed = Response | HTTPError;

/**
 * Answers a request, errors included: never rejects, always fulfills with a `Response`.
 * @param passed what a runtime passes after the request.
 * @param context what a runtime passes after that.
 */
export function fetchResponse(
  dispatcher: Dispatcher,
  request: Request,
  onError: OnError,
  passed?: unknown,
  context?: unknown,
): Promise<Response> {
  if (passed !== undefined) notePassed(request, passed, running.host);
  const { found } = lateWork;
  // A host may pass what is no request: no work belongs to it.
  const work = found !== null && Object(request) === request ? found : null;
  work?.asked(request);
  let answer: Promise<Response>;
  // PERF: not async, which takes 150 bytes more of the heap for each request (`node bench/requests/kernel-less.js`).
  try {
    const result = dispatcher.answer(request) as Partial<PromiseLike<unknown>> | null | undefined;
    answer =
      typeof result?.then === "function"
        ? answerAfter(result, dispatcher, request, onError, passed)
        : Promise.resolve(responseTo(result, dispatcher, request, onError, passed));
  } catch (error) {
    answer = answerToError(error, dispatcher, request, onError);
  }
  return work === null ? answer : answerBefore(work, answer, dispatcher, request, onError, context);
}

async function answerAfter(
  result: unknown,
  dispatcher: Dispatcher,
  request: Request,
  onError: OnError,
  passed: unknown,
): Promise<Response> {
  try {
    return await responseTo(await result, dispatcher, request, onError, passed);
  } catch (error) {
    return await answerToError(error, dispatcher, request, onError);
  }
}

/** Tells the work of a request that it has its answer. */
function answerBefore(
  work: LateWork,
  answer: Promise<Response>,
  dispatcher: Dispatcher,
  request: Request,
  onError: OnError,
  context: unknown,
): Promise<Response> {
  const report = (error: unknown): unknown => observedAnswer(error, request, onError);
  return answer.then((response) => work.answered(dispatcher, request, response, report, context));
}

/** Makes the response of what a handler or middleware gave. @throws {TypeError} when that is none. */
function responseTo(
  given: unknown,
  dispatcher: Dispatcher,
  request: Request,
  onError: OnError,
  passed: unknown,
): Response | Promise<Response> {
  const isAnswer = given instanceof Answer;
  if (isAnswer && given.error !== noError) return answerToError(given.error, dispatcher, request, onError);
  const response = isAnswer ? dispatcher.responseOf(given, request) : given;
  if (!isResponse(response)) throw notNew(request, dispatcher.answererOf(request), response);
  // A Response of another class is not asked for more than its status: it may be made whole. Node has nothing to ask.
  const { complete } = running.host;
  return (
    (complete !== undefined && response.status === 101 && complete(request, passed, response)) ||
    (isAnswer || dispatcher.addressed === null ? response : dispatcher.addressed(response, request, false))
  );
}

/** Answers an error where it was thrown: functions of users have the stores of the middleware around it. */
function answerToError(error: unknown, dispatcher: Dispatcher, request: Request, onError: OnError): Promise<Response> {
  const within = withinFailure(request);
  // PERF: no function for what no middleware sees: 0.1 us of 1.8 on Bun (`node bench/requests.js`, R6 404).
  if (within === null) return answerWithError(error, dispatcher, request, onError);
  return within(() => answerWithError(error, dispatcher, request, onError));
}

async function answerWithError(
  error: unknown,
  dispatcher: Dispatcher,
  request: Request,
  onError: OnError,
): Promise<Response> {
  const observed = observedAnswer(error, request, onError);
  const given = isThenable(observed) ? await observed : observed;
  const fields = dispatcher.errorFieldsOf(request);
  const response = given === null || given instanceof HTTPError ? null : given;
  const answer = response ?? errorResponse(given ?? error, dispatcher.problems, request, fields);
  for (const result of dispatcher.resultsOf(request)) void discardOther(result, answer, dispatcher);
  const made = response === null || fields === null ? answer : responseWith(fields, response, request);
  return dispatcher.addressed?.(made, request, true) ?? made;
}

/**
 * Reports an error to an observer. Returns the response or the error that it gave, or null.
 * PERF: an observer that returns nothing is not waited for, which is 0.5 us of 14 (`node bench/requests.js`, R6 404).
 */
export function observedAnswer(
  error: unknown,
  request: Request,
  onError: OnError,
): Observed | null | Promise<Observed | null> {
  const chosen = (given: unknown): Observed | null => {
    if (given instanceof HTTPError || isResponse(given)) return given;
    // Many loggers return something. It is told once what that is not.
    if (given !== undefined && given !== null && !told.has(onError)) {
      told.add(onError);
      print(notNew(request, "onError()", given));
    }
    return null;
  };
  const failed = (fault: unknown): null => {
    // An observer that fails must not keep the answer from the client, nor either error from the host.
    print(error);
    print(fault);
    return null;
  };
  try {
    const given: unknown = onError(error, request);
    return isThenable(given) ? Promise.resolve(given).then(chosen).catch(failed) : chosen(given);
  } catch (fault) {
    return failed(fault);
  }
}

/** The observers whose results were reported as no responses. */
const told = new WeakSet<OnError>();

/**
 * Cancels a response that was dropped for an answer made from an error: a file behind it must not stay open. Only then:
 * middleware that returns another response may read the one of `next()` later.
 */
async function discardOther(result: unknown, answer: Response, dispatcher: Dispatcher): Promise<void> {
  try {
    const given = await result;
    const response = given instanceof Answer && given.error === noError ? dispatcher.responseOf(given, null) : given;
    // An observer may answer with the response that an error carries.
    const isOther = isResponseLike(response) && response !== answer && response.body !== answer.body;
    if (isOther) discard(response);
  } catch {
    // The error is the one that was answered, or comes when nobody waits any more.
  }
}

function responseWith(fields: HeadersOrList, response: Response, request: Request): Response {
  try {
    const copy = copiedResponse(response);
    addLeft(copy.headers, fields);
    return copy;
  } catch (fault) {
    // A light response of an observer may have been read already, or have a status that no response can have.
    print(fault);
    return errorResponse(fault, null, request, fields);
  }
}

/** Recognizes a response by its behavior, not by its class: a server may have light ones. */
export function isResponseLike(value: unknown): value is Response {
  // Not asked for its fields, as a light response would make `Headers`.
  if (typeof value === "object" && value !== null && takeAnswer in value) return true;
  if (isError(value)) return false;
  const { status, headers, arrayBuffer } = (value ?? {}) as Partial<Response>;
  return typeof status === "number" && typeof headers === "object" && typeof arrayBuffer === "function";
}

function isResponse(value: unknown): value is Response {
  // A response that was read already, or Response.error(), makes Bun and Deno answer with an error page that bypasses
  // onError().
  if (value instanceof Response) {
    return lightContent in value
      ? !value.bodyUsed
      : !isRead(value) && (value.constructor !== Response || value.status > 0);
  }
  return isResponseLike(value);
}

/**
 * Returns whether content was read. Uses the inherited getter, because a light response whose own one is asked becomes
 * whole.
 */
export function isRead(response: Response): boolean {
  if (response.constructor === Response) return response.bodyUsed;
  try {
    // PERF: the getter throws for a light response, which is more than half of `fetch`, 4 us on Node 24
    // (`node bench/requests.js`, native on srvx).
    if (Object.hasOwn(Object.getPrototypeOf(response) as object, "bodyUsed"))
      return lightContent in response && response.bodyUsed;
    return Reflect.get(Response.prototype, "bodyUsed", response) as boolean;
  } catch {
    return false;
  }
}

function notNew({ method }: Request, source: string, value: unknown): TypeError {
  return new TypeError(
    `Cannot respond to ${method.slice(0, 80)}: expected a new Response from ${source}, got ` +
      `${describedResult(value)}${value === undefined ? "; write return" : ""}`,
  );
}

/** Names a value that cannot be sent as a response. The name of its class would not tell why. */
export function describedResult(value: unknown): string {
  if (!isResponseLike(value)) return described(value);
  return isRead(value) ? "one whose content was read already" : "Response.error()";
}
