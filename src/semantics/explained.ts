import type { Decision } from "../application/application-model.ts";
import { preconditionsOf } from "../fields/request-preconditions.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { methodOf, urlOf } from "../dispatch/input.ts";
import type { MountedPattern } from "../dispatch/mounted-resource.ts";
import { Params } from "../dispatch/params.ts";
import { HTTPError } from "../http/http-error.ts";
import { nameOf } from "../http/described.ts";
import { Status } from "../http/status.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { Explanation, Question } from "./explanation.ts";
import { allowedAt, type LinePlace } from "./line/allowed.ts";
import { LineCall, type LineRequest } from "./line/line-call.ts";
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
 * @param isRun whether validator, middleware and handler are called.
 */
export async function explained(app: Explaining, request: Request, isRun: boolean): Promise<Explanation> {
  const found = app.dispatcher.match(request);
  const decision = app.match(request);
  const trace = new Trace();
  const { pattern = null, resource = null } = decision;
  if (!(found instanceof PathMatch)) trace.refuse(0, (decision as { reason: string }).reason, decision as Refused);
  else {
    const { mounted } = found.value as MountedPattern;
    const place = placeOf(mounted);
    trace.find(0, `yes: ${found.source} of ${mounted.name}`);
    // A method that no resource can have is not refused by the line: 501.
    const isUnknown = (decision as Partial<Refused>).status?.status === Status.NotImplemented.status;
    if (place === null || isUnknown) explainOther(trace, decision, methodOf(request));
    else {
      const line: LineRequest = Object.assign(request.clone(), { params: new Params(found, urlOf(request)) });
      await explainLine(trace, place, line, methodOf(request), isRun);
    }
    if (isRun && trace.isOpen) await explainAnswer(trace, await app.fetch(request.clone()));
  }
  return {
    method: methodOf(request),
    url: urlOf(request),
    resource: resource?.name ?? null,
    pattern: pattern?.source ?? null,
    middleware: found instanceof PathMatch ? namesOf(found.value as MountedPattern, methodOf(request)) : [],
    questions: trace.questions,
    status: trace.status,
  };
}

interface Refused {
  readonly status: { readonly status: number };
}

/** Returns the middleware that has a handler for the method, including the application's. */
function namesOf({ mounted }: MountedPattern, method: string): string[] {
  return mounted.chain
    .filter(({ handlers }) => handlers[method] ?? handlers["ALL"])
    .map(({ middleware }) => nameOf(middleware.constructor));
}

/** Of a resource of the native chain no more is known than whether it has a handler. */
function explainOther(trace: Trace, decision: Decision, method: string): void {
  if (!decision.matched) trace.refuse(1, decision.reason, decision);
  else {
    const { name, methods } = decision.resource;
    const answers = methods.includes(method) ? "implements" : "answers";
    trace.find(1, `yes: ${name} ${answers} ${method}, and declares nothing that is asked before`);
  }
}

async function explainLine(
  trace: Trace,
  place: LinePlace,
  request: LineRequest,
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
  call.path = Object.fromEntries(call.pathEntries());
  try {
    const { path, query, headers, cookies, content, produces } = plan;
    trace.at = 2;
    if (path !== null) trace.find(2, `yes: ${JSON.stringify((call.path = await readPath(path, call)))}`);
    trace.at = 3;
    if (query !== null || headers !== null || cookies !== null) {
      await readFields(plan, request, call, call);
      trace.find(3, "yes");
    }
    trace.at = 4;
    const media = content === null ? null : takenMedia(content, request, plan.method);
    if (content !== null) trace.find(4, media === null ? "yes: there is none, and none need be" : `yes: ${media.type}`);
    trace.at = 5;
    if (produces.length > 0) {
      call.mediaType = acceptable(plan, request.headers.get("accept"));
      trace.find(5, `yes: ${call.mediaType}`);
    }
    trace.at = 6;
    if (!(await explainPreconditions(trace, plan, call, isRun))) return;
    trace.at = 7;
    if (media !== null) {
      await readTaken(content!, media, request);
      trace.find(7, "yes");
    }
  } catch (error) {
    if (!(error instanceof HTTPError)) throw error;
    const places = (error.errors ?? []) as readonly { in: string; pointer: string; detail: string }[];
    const told = places.map((one) => `${one.in} ${one.pointer}: ${one.detail}`).join("; ");
    return trace.end(trace.at, `no: ${told || error.message}`, error.status);
  }
  const statuses = [...plan.answers.keys()].join(", ");
  if (!isRun) trace.find(8, `not called: ${plan.method} of ${place.name}${statuses && `, which declares ${statuses}`}`);
}

/** Returns whether the request goes on. */
async function explainPreconditions(trace: Trace, plan: Plan, call: LineCall, isRun: boolean): Promise<boolean> {
  // RFC 9110 §13.2.1: of some methods they are ignored.
  if (!plan.takesPreconditions) return true;
  const isSent = Object.values(preconditionsOf(call.request)).some((value) => value !== null);
  const isRequired = plan.operation.conditional === "required";
  if (!isSent && !isRequired && !plan.hasValidator) return true;
  if (plan.hasValidator && !isRun) {
    trace.find(6, "not asked: validator() is not called");
    return true;
  }
  const current = plan.hasValidator ? await plan.validatorsOf(call) : undefined;
  if (!isModified(plan, preconditionsOf(call.request), current)) {
    trace.end(6, "yes, and the client has it already", 304);
    return false;
  }
  const known = current === null ? "there is no representation" : "the client has another version, or asks for none";
  trace.find(6, current === undefined ? "not known: the resource does not say" : `yes: ${known}`);
  return true;
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
  status: number | null = null;

  find(step: number, finding: string, status: number | null = null): void {
    const [question, section] = asked[step]!;
    this.questions.push({ step, question, section, finding });
    if (status !== null) this.status = status;
  }

  end(step: number, finding: string, status: number): void {
    this.find(step, finding, status);
    this.isOpen = false;
  }

  refuse(step: number, reason: string, { status: { status } }: Refused): void {
    this.end(step, `no: ${reason}`, status);
  }
}

/** The questions by their steps; 0 comes before the line. */
const asked: Readonly<Record<number, readonly [question: string, section: string]>> = {
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
};
