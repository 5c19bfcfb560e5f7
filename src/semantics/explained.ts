import type { Decision } from "../application/application-model.ts";
import { readsAs } from "../dispatch/guarded.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { originalOf } from "../dispatch/input-exchange.ts";
import { methodOf, inputURLOf } from "../dispatch/input.ts";
import type { Handler, MountedPattern, MountedResource } from "../dispatch/mounted-resource.ts";
import { Params } from "../dispatch/params.ts";
import { noError, type Answer } from "../http/answer/carried-answer.ts";
import { nameOf } from "../http/javascript/described.ts";
import type { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { PathMatch } from "../routing/index/path-match.ts";
import type { Explanation } from "./line/explanation.ts";
import type { LineResource } from "./line/allowed.ts";
import type { LineRequest } from "./line/line-call.ts";
import type { Plan } from "./line/plan.ts";
import { perform } from "./line/perform.ts";
import { discardingFiles, storeNoFiles } from "./line/stored-files.ts";
import type { RecordStore } from "../writes/record-store.ts";
import { methodsOfPatch } from "./operation/made-operation.ts";
import { semanticMethods } from "./operation/members.ts";
import { notCalled, Trace } from "./line/line-trace.ts";
import { lineResourceOf } from "./line-resource.ts";

/** The parts that an explanation needs: the dispatcher, and the real answer. */
export interface Explaining {
  readonly dispatcher: Dispatcher;
  readonly match: (request: Request) => Decision;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Why a request is refused before the line. */
interface Refused {
  readonly status: { readonly status: number };
  readonly reason: string;
}

/**
 * Leads a request along `perform()` with a trace, and says what each step finds.
 * @param isRun whether validator, middleware and handler are called. The request is then explained where middleware
 * leads to.
 */
export async function explained(app: Explaining, request: Request, isRun: boolean): Promise<Explanation> {
  const found = app.dispatcher.match(request);
  const decision = app.match(request);
  const method = methodOf(request);
  const { pattern = null, resource = null } = decision;
  const mounted = found instanceof PathMatch ? (found.value as MountedPattern).mounted : null;
  const passed = middlewareFor(app, mounted, method);
  const names = passed.map(nameOf);
  const asking: Asking = { trace: new Trace(isRun), decision, mounted, method, names };
  const { trace } = asking;
  if (found instanceof PathMatch) trace.note(0, `yes: ${found.source} of ${mounted!.name}`);
  if (isRun) await explainRun(asking, app, request.clone());
  else {
    const onLine = mounted && lineResourceOf(mounted);
    // A method that no resource can have is not refused by the line: 501.
    const isUnknown = (decision as Partial<Refused>).status?.status === Status.NotImplemented.status;
    if (onLine === null || isUnknown) explainOther(asking);
    else {
      let read = request.clone();
      try {
        for (const Class of passed) read = Class[readsAs]?.(read) ?? read;
      } catch (error) {
        const { message, status } = error as HTTPError;
        trace.end(-1, `no: ${message}`, status);
      }
      const line: LineRequest = Object.assign(read, {
        params: new Params(found as PathMatch<MountedPattern>, inputURLOf(request), null),
      });
      storeNoFiles(line);
      const { error } = trace.isOpen ? await traced(trace, withoutCalls(onLine), line, method) : { error: noError };
      if (trace.isOpen && error !== notCalled && error !== noError) throw error;
    }
  }
  return {
    method,
    url: inputURLOf(request),
    resource: resource?.name ?? null,
    pattern: pattern?.source ?? null,
    middleware: asking.names,
    questions: trace.questions,
    status: trace.status,
  };
}

interface Asking {
  readonly trace: Trace;
  readonly decision: Decision;
  readonly mounted: MountedResource | null;
  readonly method: string;
  /** The middleware that it passes. */
  readonly names: readonly string[];
}

/** Lists the classes of the middleware that has a handler for the method, including the application's. */
function middlewareFor({ dispatcher }: Explaining, mounted: MountedResource | null, method: string): Reader[] {
  // What no resource can answer passes the application's only.
  const isForResource = mounted !== null && mounted.handlers[method] !== undefined;
  const isMade = mounted !== null && lineResourceOf(mounted)?.plans.get(method)?.isMade === true;
  const methods = isMade ? methodsOfPatch : [method];
  const chain = (mounted ?? dispatcher.resources[0])?.chain ?? [];
  return chain
    .filter(
      ({ wraps, handlers }) =>
        (isForResource || wraps === null) && methods.some((one) => handlers[one] ?? handlers["ALL"]),
    )
    .map(({ middleware }) => middleware.constructor as Reader);
}

/** A class of middleware. */
interface Reader {
  (): void;
  readonly [readsAs]?: (request: Request) => Request;
}

/**
 * Answers the request as the application does. The line is explained when middleware has led the request to its
 * handler.
 */
async function explainRun(asking: Asking, { dispatcher, fetch }: Explaining, request: Request): Promise<void> {
  const { trace, decision, names } = asking;
  let isReached = false;
  const pass = (): void => {
    if (names.length > 0) trace.note(-1, `yes: ${names.join(", ")}`);
  };
  watch(dispatcher);
  watched.set(request, async (mounted, input, method, answer) => {
    // Middleware may go on several times.
    if (isReached) return answer();
    isReached = true;
    pass();
    const onLine = lineResourceOf(mounted);
    if (onLine === null) explainOther(asking);
    if (onLine === null) return answer();
    return discardingFiles(input, () => traced(trace, onLine, input, method));
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
  if (status !== trace.status) trace.end(15, `it is ${status}, by middleware or onError()`, status);
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

/**
 * From the first explanation on, the handlers of an application look whether their request is explained. Before, they
 * do not.
 */
function watch(dispatcher: Dispatcher): void {
  if (watching.has(dispatcher)) return;
  watching.add(dispatcher);
  for (const mounted of dispatcher.resources) {
    const handlers: Record<string, Handler | null> = Object.setPrototypeOf({}, null);
    for (const method of semanticMethods) {
      const handler = mounted.handlers[method];
      if (handler === undefined) continue;
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

/** Performs a request, and notes what its steps find. */
async function traced(trace: Trace, onLine: LineResource, request: LineRequest, method: string): Promise<Answer> {
  const answer = await perform(onLine, request, method, trace);
  if (answer.error !== noError) trace.refuse(answer.error);
  return answer;
}

/** Knows no writes, and lets each begin. */
const unaskedRecords: RecordStore = {
  find: async () => null,
  begin: async () => ({ fence: "0" }),
  extend: nothing,
  finish: nothing,
  release: nothing,
};

async function nothing(): Promise<never> {
  return undefined as never;
}

/** A resource whose validators and records say nothing, and whose handlers end the walk. */
function withoutCalls(onLine: LineResource): LineResource {
  const plans = [...onLine.plans].map(([method, plan]): [string, Plan] => [
    method,
    {
      ...plan,
      access: null,
      validatorsOf: async () => undefined,
      handler: () => {
        throw notCalled;
      },
    },
  ]);
  const { writes } = onLine;
  const unasked = writes && { rules: { ...writes.rules, store: unaskedRecords }, ownerOf: () => "nobody" };
  return { ...onLine, plans: new Map(plans), allowed: new Map(), writes: unasked };
}

/**
 * Explains a request that no declared operation answers. A resource of the native chain says only whether it has a
 * handler. Where there is no resource, the explanation says why.
 */
function explainOther({ trace, decision, mounted, method }: Asking): void {
  if (!decision.matched) trace.end(mounted === null ? 0 : 1, `no: ${decision.reason}`, decision.status.status);
  else {
    const { name, methods } = decision.resource;
    const answers = methods.includes(method) ? "implements" : "answers";
    trace.note(1, `yes: ${name} ${answers} ${method}, and declares nothing that is asked before`);
  }
}

async function explainAnswer(trace: Trace, { status, headers, body }: Response): Promise<void> {
  await body?.cancel();
  trace.note(10, `${status}`, status);
  const fields = [...headers.keys()].filter((name) => name !== "content-length").join(", ");
  trace.note(12, fields === "" ? "none" : fields, status);
  if (status === 304) trace.note(13, "yes", status);
  if (status === 206) trace.note(14, headers.get("content-range")!, status);
}
