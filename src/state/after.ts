import { originalOf } from "../dispatch/input-exchange.ts";
import { lateWork } from "../dispatch/late-work.ts";
import { capturedContext } from "../http/javascript/captured-context.ts";
import { described } from "../http/javascript/described.ts";
import { measuring } from "../http/javascript/measuring.ts";
import { OptionCheck, longestTimerMs } from "../http/javascript/option-check.ts";
import { propertyOf } from "../http/javascript/property.ts";
import { readerOf } from "../http/message/content-reader.ts";
import { lightContent, type LightResponse } from "../http/message/light-response.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";

/** Options of `after()` besides the work. */
export interface AfterOptions {
  /** Maximum number of tasks that wait or run in this process. Default: 1,000. */
  readonly maxTasks?: number | undefined;
}

/** Work that follows an answer. Its signal aborts when the server has stopped and waits no more. */
export type Work = (signal: AbortSignal) => unknown;

/**
 * Runs work after the response: when `fetch()` has fulfilled and a streamed body has ended. Content that is whole need
 * not be read.
 *
 * With `waitUntil()` of a runtime, such as Cloudflare Workers, it is passed to that. Errors are told to `onError()`.
 * Work that is registered after the answer begins at once. Nothing keeps it if the process crashes. It has the stores
 * of `AsyncLocalStorage`, and the active span, of where it was registered.
 *
 * @param input the request, or the call of the semantics module.
 * @throws {HTTPError} 503 when there is too much work.
 * @throws {TypeError} when the input is not of an application with `fetch`, or the work is not a function.
 * @example
 * ```ts
 * class Orders extends Resource {
 *   paths = ["/orders"];
 *
 *   POST(request: Request): Response {
 *     after(request, () => console.log("Mail sent"));
 *     console.log("Answered");
 *     return new Response(null, { status: 202 });
 *   }
 * }
 * const app = Application.builder().resources(Orders).build();
 * await app.request("/orders", { method: "POST" }); // Answered
 * await app.settled(); // Mail sent
 * ```
 */
export function after(input: object, work: Work, options: AfterOptions = {}): void {
  const check = new OptionCheck("after", options, ["maxTasks"]);
  const { maxTasks = 1_000 } = check.options;
  check.positive("maxTasks");
  if (typeof work !== "function") {
    throw new TypeError(`Cannot work after the answer: expected a function, got ${described(work)}`);
  }
  const request = originalOf(input);
  if (typeof propertyOf(request as Partial<Request>, "clone") !== "function") {
    throw new TypeError(
      `Cannot work after the answer: expected a Request or a call, got ${described(input)}; the polyfill module has ` +
        "no answer to wait for",
    );
  }
  if (count >= maxTasks) throw new HTTPError(Status.ServiceUnavailable, undefined, { headers: { "Retry-After": "5" } });
  count += 1;
  measuring.measure?.("fingerpost.after.active", 1);
  const order = orderOf(request);
  const within = capturedContext();
  const run: Run = (signal, report) => within(() => ran(work, signal, report));
  if (order.begin === null) order.waiting.push(run);
  else order.begin(run);
}

/** How much work of this process waits or runs. */
let count = 0;

/** Work in the context in which it was registered. */
type Run = (signal: AbortSignal, report: (error: unknown) => unknown) => Promise<void>;

/** What a request has ordered. */
interface Order {
  readonly waiting: Run[];
  /** How many applications it is in, one inside of the other. */
  open: number;
  /** Begins work once the request has its answer. */
  begin: ((run: Run) => void) | null;
}

const orders = new WeakMap<object, Order>();

function orderOf(request: object): Order {
  let order = orders.get(request);
  if (order === undefined) orders.set(request, (order = { waiting: [], open: 0, begin: null }));
  return order;
}

/** Work under way. */
interface Job {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

const jobs = new WeakMap<object, Set<Job>>();

function jobsOf(dispatcher: object): Set<Job> {
  let all = jobs.get(dispatcher);
  if (all === undefined) jobs.set(dispatcher, (all = new Set()));
  return all;
}

lateWork.found = {
  asked(request) {
    orderOf(request).open += 1;
  },

  answered(dispatcher, request, response, report, context) {
    const order = orderOf(request);
    order.open -= 1;
    // An application inside of another one: the outer one answers.
    if (order.open > 0 || originalOf(request) !== request) return response;
    const until = propertyOf((context ?? {}) as WaitingContext, "waitUntil");
    const [sent, ended] = order.waiting.length === 0 || until !== undefined ? [response, turn()] : watched(response);
    const running = jobsOf(dispatcher);
    order.begin = (run) => {
      const stop = new AbortController();
      const done = ended.then(() => run(stop.signal, report));
      const job: Job = { stop, done };
      running.add(job);
      void done.then(() => running.delete(job));
      until?.call(context, done);
    };
    for (const run of order.waiting.splice(0)) order.begin(run);
    return sent;
  },

  async settled(dispatcher, graceMs) {
    const running = jobsOf(dispatcher);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<"over">((resolve) => {
      timer = setTimeout(() => resolve("over"), Math.min(graceMs, longestTimerMs));
    });
    // Work may order more work.
    while (running.size > 0) {
      const all = Promise.all([...running].map(({ done }) => done));
      if ((await Promise.race([all, over])) !== "over") continue;
      for (const { stop } of running) stop.abort(new DOMException("The server has stopped", "AbortError"));
      break;
    }
    clearTimeout(timer);
  },
};

/** The execution context of Workers. */
interface WaitingContext {
  readonly waitUntil?: (this: unknown, work: Promise<unknown>) => void;
}

async function ran(work: Work, signal: AbortSignal, report: (error: unknown) => unknown): Promise<void> {
  try {
    await work(signal);
  } catch (error) {
    await report(error);
  } finally {
    count -= 1;
    measuring.measure?.("fingerpost.after.active", -1);
  }
}

/** Lets the host write the response first. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Returns a response with the same content, and when that has ended: it was cancelled, or its source has no more. */
function watched(response: Response): readonly [response: Response, ended: Promise<void>] {
  const { [lightContent]: whole } = response as Partial<LightResponse>;
  // A light response that is whole has no stream; a status below 200 cannot be copied.
  if (whole !== undefined || response.status < 200 || response.body === null) return [response, turn()];
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const reader = readerOf(response.body);
  const read = (): ReturnType<typeof reader.read> => {
    const next = reader.read();
    next.then(({ done }) => void (done && end()), end);
    return next;
  };
  // One part is read ahead: text or JSON of a response of the platform has ended with its first part, and nobody may
  // ever read that.
  let ahead = read();
  const content = new ReadableStream<unknown>({
    async pull(controller) {
      const { done, value } = await ahead;
      if (done) return controller.close();
      controller.enqueue(value);
      ahead = read();
    },
    cancel(reason: unknown) {
      end();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return [new Response(content as BodyInit, { status, statusText, headers }), ended.then(turn)];
}
