import type { Decision } from "../application/application-model.ts";
import type { Preconditions, Validators } from "../fields/preconditions.ts";
import { isConditional, preconditionsOf } from "../fields/request-preconditions.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { originalOf } from "../dispatch/exchange.ts";
import { methodOf, urlOf } from "../dispatch/input.ts";
import type { Handler, MountedPattern, MountedResource } from "../dispatch/mounted-resource.ts";
import { Params } from "../dispatch/params.ts";
import { HTTPError } from "../http/http-error.ts";
import { nameOf } from "../http/described.ts";
import { Status } from "../http/status.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { Explanation, Question } from "./explanation.ts";
import { allowedAt, type LinePlace } from "./line/allowed.ts";
import type { RequestMedia } from "./line/input-plan.ts";
import { LineCall, type LineRequest } from "./line/line-call.ts";
import { perform } from "./line/perform.ts";
import type { Plan } from "./line/plan.ts";
import { readFields, readPath, readTaken, takenMedia } from "./line/read-parts.ts";
import { acceptable, isModified } from "./line/weigh.ts";
import { placeOf } from "./place.ts";

/** The parts that an explanation needs: the dispatcher, and the real answer. */
export interface Explaining {
  readonly dispatcher: Dispatcher;
  readonly match: (request: Request) => Decision;
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Asks the questions of `perform()` one by one, and says what each finds: a walk of its own, so that `perform()` carries no tracing.
 *
 * @param isRun whether validator, middleware and handler are called. The walk is then made where middleware leads to.
 */
export async function explained(app: Explaining, request: Request, isRun: boolean): Promise<Explanation> {
  const found = app.dispatcher.match(request);
  const decision = app.match(request);
  const method = methodOf(request);
  const { pattern = null, resource = null } = decision;
  const mounted = found instanceof PathMatch ? (found.value as MountedPattern).mounted : null;
  const asking: Asking = { trace: new Trace(), decision, mounted, method, names: namesOf(app, mounted, method) };
  const { trace } = asking;
  if (found instanceof PathMatch) trace.find(0, `yes: ${found.source} of ${mounted!.name}`);
  if (isRun) await explainRun(asking, app, request.clone());
  else {
    const place = mounted && placeOf(mounted);
    // A method that no resource can have is not refused by the line: 501.
    const isUnknown = (decision as Partial<Refused>).status?.status === Status.NotImplemented.status;
    if (place === null || isUnknown) explainOther(asking);
    else {
      const line: LineRequest = Object.assign(request.clone(), {
        params: new Params(found as PathMatch<MountedPattern>, urlOf(request)),
      });
      await explainLine(trace, place, line, line, method, false);
    }
  }
  return {
    method,
    url: urlOf(request),
    resource: resource?.name ?? null,
    pattern: pattern?.source ?? null,
    middleware: asking.names,
    questions: trace.questions,
    status: trace.status,
  };
}

/** A request that is explained. */
interface Asking {
  readonly trace: Trace;
  readonly decision: Decision;
  /** The resource of its path. */
  readonly mounted: MountedResource | null;
  readonly method: string;
  /** The middleware that it passes. */
  readonly names: readonly string[];
}

interface Refused {
  readonly status: { readonly status: number };
  readonly reason: string;
}

/** Returns the names of the middleware that has a handler for the method, including the application's. */
function namesOf({ dispatcher }: Explaining, mounted: MountedResource | null, method: string): string[] {
  // What no resource can answer passes the application's only.
  const isForResource = mounted !== null && mounted.handlers[method] !== undefined;
  const chain = (mounted ?? dispatcher.resources[0])?.chain ?? [];
  return chain
    .filter(({ wraps, handlers }) => (isForResource || wraps === null) && (handlers[method] ?? handlers["ALL"]))
    .map(({ middleware }) => nameOf(middleware.constructor));
}

/** Answers the request as the application does. The line is explained when middleware has led the request to its handler. */
async function explainRun(asking: Asking, { dispatcher, fetch }: Explaining, request: Request): Promise<void> {
  const { trace, decision, names } = asking;
  let isReached = false;
  const pass = (): void => {
    if (names.length > 0) trace.find(-1, `yes: ${names.join(", ")}`);
  };
  watch(dispatcher);
  watched.set(request, async (mounted, input, method, answer) => {
    // Middleware may go on several times.
    if (isReached) return answer();
    isReached = true;
    pass();
    const place = placeOf(mounted);
    if (place === null) explainOther(asking);
    if (place === null) return answer();
    const once = askingOnce(place);
    await explainLine(trace, once, input, input.bodyUsed ? input : input.clone(), method, true);
    return perform(once, input, method);
  });
  const response = await fetch(request);
  const { status } = response;
  if (!isReached) {
    const isRefused = !decision.matched && (decision.status.status === status || names.length === 0);
    if (isRefused) pass();
    if (isRefused) explainOther(asking);
    else trace.end(-1, `no: ${status}`, status);
  }
  if (trace.isOpen) return explainAnswer(trace, response);
  await response.body?.cancel();
  if (status !== trace.status) trace.end(13, `it is ${status}, by middleware or onError()`, status);
}

/** Explains a request that has come to the handler of a resource, and answers it. */
type Watcher = (
  mounted: MountedResource,
  input: LineRequest,
  method: string,
  answer: () => unknown,
) => Promise<unknown>;

/** By the request that came in: middleware may have gone on with another. */
const watched = new WeakMap<object, Watcher>();
const watching = new WeakSet<Dispatcher>();

/** From the first explanation on, the handlers of an application look whether their request is explained. Before, they do not. */
function watch(dispatcher: Dispatcher): void {
  if (watching.has(dispatcher)) return;
  watching.add(dispatcher);
  for (const mounted of dispatcher.resources) {
    const handlers: Record<string, Handler | null> = Object.setPrototypeOf({}, null);
    for (const [method, handler] of Object.entries(mounted.handlers)) {
      handlers[method] =
        handler &&
        ((input) => {
          const answer = (): unknown => handler.call(mounted.resource, input);
          const watcher = watched.get(originalOf(input as object));
          return watcher === undefined ? answer() : watcher(mounted, input as LineRequest, method, answer);
        });
    }
    mounted.handlers = handlers;
  }
}

/** A place whose validators are asked once: the walk and `perform()` get the same ones. */
function askingOnce(place: LinePlace): LinePlace {
  const plans = [...place.plans].map(([method, plan]): [string, Plan] => {
    let asked: ReturnType<Plan["validatorsOf"]> | undefined;
    return [method, { ...plan, validatorsOf: (call) => (asked ??= plan.validatorsOf(call)) }];
  });
  return { ...place, plans: new Map(plans), allowed: new Map() };
}

/** Of a resource of the native chain no more is known than whether it has a handler; of no resource, why there is none. */
function explainOther({ trace, decision, mounted, method }: Asking): void {
  if (!decision.matched) trace.refuse(mounted === null ? 0 : 1, decision);
  else {
    const { name, methods } = decision.resource;
    const answers = methods.includes(method) ? "implements" : "answers";
    trace.find(1, `yes: ${name} ${answers} ${method}, and declares nothing that is asked before`);
  }
}

/** @param copy the request, whose content is read: `perform()` reads the one of the request. */
async function explainLine(
  trace: Trace,
  place: LinePlace,
  request: LineRequest,
  copy: Request,
  method: string,
  isRun: boolean,
): Promise<void> {
  const allowed = allowedAt(place, request.params.pattern);
  const plan = allowed.planFor(method);
  if (plan === null) {
    if (method === "OPTIONS") return trace.end(1, `yes: Allow is ${allowed.allow}`, 204);
    return trace.end(1, `no: ${place.name} allows ${allowed.allow}`, 405);
  }
  trace.find(1, plan.method === method ? "yes" : `yes: ${plan.method} answers it`);
  const call = new LineCall(request, place.paramNames.of(request.params.pattern));
  try {
    const { path, query, headers, cookies, content, produces } = plan;
    trace.at = 2;
    call.path = Object.fromEntries(call.pathEntries());
    if (path !== null) trace.find(2, `yes: ${JSON.stringify((call.path = await readPath(path, call)))}`);
    trace.at = 3;
    if (query !== null || headers !== null || cookies !== null) {
      await readFields(plan, request, call, call);
      trace.find(3, "yes");
    }
    trace.at = 4;
    let media: RequestMedia | null = null;
    if (content !== null) {
      media = await takenMedia(content, copy, plan.method);
      trace.find(4, `yes: ${media?.type ?? "there is none, and none need be"}`);
    }
    trace.at = 5;
    if (produces.length > 0) {
      call.mediaType = acceptable(plan, request.headers.get("accept"));
      trace.find(5, `yes: ${call.mediaType}`);
    }
    trace.at = 6;
    if (!(await explainPreconditions(trace, plan, call, isRun))) return;
    trace.at = 7;
    if (media !== null) {
      await readTaken(content!, media, copy);
      trace.find(7, "yes");
    }
  } catch (error) {
    if (!(error instanceof HTTPError)) {
      if (!isRun) throw error;
      return trace.end(trace.at, `it fails: ${String(error)}`, 500);
    }
    const places = error.errors ?? [];
    const told = places.map((one) => `${one.in} ${one.pointer}: ${one.detail}`).join("; ");
    const finding = `no: ${told || error.message}`;
    if (trace.isSure) return trace.end(trace.at, finding, error.status);
    return trace.end(trace.at, `${finding}; ${error.status} if the preconditions hold`, null);
  }
  const statuses = [...plan.answers.keys()].join(", ");
  if (!isRun) trace.find(8, `not called: ${plan.method} of ${place.name}${statuses && `, which declares ${statuses}`}`);
}

/** Returns whether the request goes on. */
async function explainPreconditions(trace: Trace, plan: Plan, call: LineCall, isRun: boolean): Promise<boolean> {
  // RFC 9110 §13.2.1: of some methods they are ignored.
  if (!plan.takesPreconditions) return true;
  const preconditions = preconditionsOf(call.request);
  const isSent = Object.values(preconditions).some((value) => value !== null);
  const isRequired = plan.operation.conditional === "required";
  if (!isSent && !isRequired && !plan.hasValidator) return true;
  if (plan.hasValidator && !isRun) {
    if (isRequired && !isConditional(preconditions, undefined)) {
      trace.end(6, "no: one is required, unless validator() returns null", 428);
      return false;
    }
    trace.isSure = !isSent;
    trace.find(6, "not asked: validator() is not called");
    return true;
  }
  const current = plan.hasValidator ? await plan.validatorsOf(call) : undefined;
  if (!isModified(plan, preconditions, current)) {
    trace.end(6, "yes, and the client has it already", 304);
    return false;
  }
  trace.find(
    6,
    current === undefined ? "not known: the resource does not say" : `yes: ${whyHeld(preconditions, current)}`,
  );
  return true;
}

/** Says why preconditions hold, by the first that was evaluated (RFC 9110 §13.2.2). */
function whyHeld(preconditions: Preconditions, current: Validators | null): string {
  if (current === null) return "there is no representation";
  if (preconditions.ifMatch !== null) return "If-Match holds";
  if (isConditional({ ...preconditions, ifNoneMatch: null }, current)) return "If-Unmodified-Since holds";
  return "the client has another version, or asks for none";
}

async function explainAnswer(trace: Trace, { status, headers, body }: Response): Promise<void> {
  await body?.cancel();
  trace.find(8, `${status}`, status);
  const fields = [...headers.keys()].filter((name) => name !== "content-length").join(", ");
  trace.find(10, fields === "" ? "none" : fields, status);
  if (status === 304) trace.find(11, "yes", status);
  if (status === 206) trace.find(12, headers.get("content-range")!, status);
}

class Trace {
  readonly questions: Question[] = [];
  /** The step that is asked now. */
  at = 0;
  isOpen = true;
  /** Whether all steps before were asked: a step that was not may end in another status. */
  isSure = true;
  status: number | null = null;

  find(step: number, finding: string, status: number | null = null): void {
    const [question, section] = asked[step]!;
    this.questions.push({ step: Math.max(step, 0), question, section, finding });
    if (status !== null) this.status = status;
  }

  end(step: number, finding: string, status: number | null): void {
    this.find(step, finding, status);
    this.isOpen = false;
  }

  refuse(step: number, { reason, status: { status } }: Refused): void {
    this.end(step, `no: ${reason}`, status);
  }
}

/** The questions by their steps; 0 comes before the line, and 13 after it. */
const asked: Readonly<Record<number, readonly [question: string, section: string]>> = {
  [-1]: ["Does the middleware let it through?", "RFC 9110 §15.5.2"],
  0: ["Does a resource have the path?", "RFC 9110 §15.5.5"],
  1: ["Is the method allowed?", "RFC 9110 §15.5.6"],
  2: ["Does the path fit?", "RFC 9110 §15.5.5"],
  3: ["Do query, fields and cookies fit?", "RFC 9110 §15.5.1"],
  4: ["Is the content of a type that is taken?", "RFC 9110 §15.5.16"],
  5: ["Is a representation acceptable?", "RFC 9110 §15.5.7"],
  6: ["Do the preconditions hold?", "RFC 9110 §13.2.2"],
  7: ["Does the content fit?", "RFC 9110 §15.5.21"],
  8: ["What does the handler answer?", "RFC 9110 §9"],
  10: ["Which fields has the answer?", "RFC 9110 §8"],
  11: ["Has the client got it?", "RFC 9110 §15.4.5"],
  12: ["Which part is it?", "RFC 9110 §14.2"],
  13: ["Which status is sent?", "RFC 9110 §15"],
};
