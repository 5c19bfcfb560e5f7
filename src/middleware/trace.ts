import { originalOf, routedBy } from "../dispatch/input-exchange.ts";
import { requestNames } from "../dispatch/error-response.ts";
import { isError } from "../http/javascript/any-realm.ts";
import {
  context,
  createContextKey,
  createTraceState,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace as tracing,
  type Attributes,
  type Context,
  type Span,
  type TextMapGetter,
  type Tracer,
} from "@opentelemetry/api";
import { InputValues } from "../application/input-values.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { parseTraceparent } from "../fields/trace-context.ts";
import { measuring } from "../http/javascript/measuring.ts";
import { propertyOf } from "../http/javascript/property.ts";
import { parsedURL } from "../http/protocol/host.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { isMethod } from "../http/protocol/method.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { activeRequests, attempt, durations, measure, receivedBytes, sentBytes } from "./lib/instruments.ts";
import { declaredBytesOf, errorStatusOf, patternOf, statusOf } from "./lib/outcome.ts";
import { isEncrypted, requestField } from "../fields/request-fields.ts";

/** Options of `trace()`. */
export interface TraceOptions {
  /** Makes the spans. Default: the tracer "fingerpost" of the registered provider. */
  readonly tracer?: Tracer | undefined;
}

/**
 * Makes middleware that records a span of OpenTelemetry for each request, and how long it took, as the conventions for
 * HTTP servers say.
 *
 * If the host has a span for the request, it is named after the path pattern, and the new span is its child. Otherwise
 * the new span is the server's. It continues the caller's trace by the registered propagator, or by `traceparent` and
 * `tracestate` (W3C Trace Context). With a registered context manager, the span is active while the handler runs.
 *
 * It also records metrics: the duration and size of requests, and how many are under way. As soon as a `trace()` is
 * made, the rest of the package measures, too.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder().middleware(trace()).build();
 * ```
 */
export function trace(options: TraceOptions = {}): MiddlewareClass {
  const check = new OptionCheck("trace", options, ["tracer"]);
  const { tracer } = check.options;
  const isTracer = tracer === undefined || typeof (tracer as Partial<Tracer> | null)?.startSpan === "function";
  check.require(isTracer, "tracer", "a Tracer");
  measuring.measure = measure;
  requestNames.set("trace", (input) => traceIds.get(originalOf(input))?.value);

  return class Trace extends Middleware {
    async ALL(input: object): Promise<unknown> {
      const traced = attempt(() => new TracedRequest(input, tracer));
      if (traced === null) return this.next(input);
      let outcome: Outcome = {};
      let size: number | null = null;
      try {
        const result = await context.with(traced.inside, () => this.next(input));
        outcome = { status: statusOf(result, input) };
        size = declaredBytesOf(result, input);
        return result;
      } catch (error) {
        outcome = { status: errorStatusOf(error, input), error };
        throw error;
      } finally {
        traced.end(outcome, size);
      }
    }
  };
}

/** How a request ended. No status where the client left. */
interface Outcome {
  readonly status?: number | null;
  readonly error?: unknown;
}

/** One request, its span and what is measured of it. Whatever is registered may fail, and the request goes on. */
class TracedRequest {
  /** Where the handler runs. */
  readonly inside: Context;
  readonly #attributes: Attributes;
  readonly #span: Span;
  readonly #input: object;
  /** Instrumentation that has a span measures, too, and a request counts once. */
  readonly #isMeasured: boolean;
  readonly #from = performance.now();

  constructor(input: object, tracer: Tracer = tracing.getTracer("fingerpost")) {
    const attributes = attributesOf(input);
    const host = context.active();
    const isInside = hasSpan(host);
    if (isInside) nameSpanOf(host, attributes);
    const parent = isInside ? host : callerOf(input, host);
    const kind = isInside ? SpanKind.INTERNAL : SpanKind.SERVER;
    const span = tracer.startSpan(nameOf(attributes), { kind, attributes }, parent);
    traceIds.set(originalOf(input), span.spanContext().traceId);
    this.inside = tracing.setSpan(parent, span).setValue(insideKey, true);
    this.#attributes = attributes;
    this.#span = span;
    this.#input = input;
    this.#isMeasured = !isInside;
    if (this.#isMeasured) activeRequests.record(1, activeOf(attributes));
  }

  end({ status = null, error }: Outcome, size: number | null): void {
    const type = attempt(() => errorTypeOf(status, error));
    const ended: Attributes = {
      ...(status !== null && { "http.response.status_code": status }),
      ...(type !== null && { "error.type": type }),
    };
    if (this.#isMeasured) this.#measure(ended, size);
    attempt(() => {
      this.#span.setAttributes(ended);
      if (type === null) return;
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      if (isUnknown(error)) this.#span.recordException(error);
    });
    attempt(() => this.#span.end());
  }

  #measure(ended: Attributes, size: number | null): void {
    const { inside } = this;
    activeRequests.record(-1, activeOf(this.#attributes));
    const measured = measuredOf({ ...this.#attributes, ...ended });
    durations.record((performance.now() - this.#from) / 1000, measured, inside);
    const declared = requestField(this.#input, "content-length");
    if (declared !== null && /^\d{1,15}$/.test(declared)) receivedBytes.record(Number(declared), measured, inside);
    if (size !== null) sentBytes.record(size, measured, inside);
  }
}

/** Also where no context manager is registered. */
const traceIds = new InputValues<string>();

/** Returns whether a context has a span of this process: one of a caller is only what was read from its fields. */
function hasSpan(active: Context): boolean {
  const span = tracing.getSpanContext(active);
  return span !== undefined && isSpanContextValid(span) && span.isRemote !== true;
}

/** Is set in what is active while a handler runs: a handler that asks the application again asks for something else. */
const insideKey = createContextKey("fingerpost trace");

/** The key of `@opentelemetry/core`, which is an SDK's: the same text makes the same key. */
const rpcKey = createContextKey("OpenTelemetry SDK Context Key RPC_METADATA");

/**
 * Names the server's span of a context after the path pattern, which the host cannot know. Instrumentation of Node's
 * servers takes it for its measurements from the metadata that it left in the context, and renames its span by it.
 */
function nameSpanOf(host: Context, attributes: Attributes): void {
  const { "http.route": pattern } = attributes;
  if (pattern === undefined || host.getValue(insideKey) === true) return;
  const rpc = (host.getValue(rpcKey) ?? {}) as { type?: unknown; span?: Span; route?: unknown };
  const isHTTP = propertyOf(rpc, "type") === "http";
  if (isHTTP) rpc.route = pattern;
  const span = isHTTP ? propertyOf(rpc, "span") : tracing.getSpan(host);
  // The kind is not of the API, but every SDK has it; what is not recorded has none.
  if (span === undefined || (!isHTTP && propertyOf(span as { kind?: unknown }, "kind") !== SpanKind.SERVER)) return;
  span.setAttribute("http.route", pattern).updateName(nameOf(attributes));
}

/** Returns what is known of a request before its handler runs. */
function activeOf({ "http.request.method": method, "url.scheme": scheme }: Attributes): Attributes {
  return { "http.request.method": method, "url.scheme": scheme };
}

/** Without values that clients choose: each value of an attribute is a new series, kept forever. */
function measuredOf(attributes: Attributes): Attributes {
  const { "url.path": _path, "http.request.method_original": _method, ...measured } = attributes;
  return measured;
}

const requestFields: TextMapGetter<object> = {
  get: (input, name) => requestField(input, name) ?? undefined,
  keys: () => propagation.fields(),
};

function callerOf(input: object, active: Context): Context {
  if (propagation.fields().length > 0) return propagation.extract(active, input, requestFields);
  const parent = parseTraceparent(requestField(input, "traceparent") ?? "");
  if (parent === null) return active;
  const { traceId, parentId: spanId, flags: traceFlags } = parent;
  const state = requestField(input, "tracestate");
  const traceState = state === null ? {} : { traceState: createTraceState(state) };
  return tracing.setSpanContext(active, { traceId, spanId, traceFlags, isRemote: true, ...traceState });
}

/** Returns the attributes that are known before the handler runs, so that a sampler can use them. */
function attributesOf(input: object): Attributes {
  const { method, url } = routedBy(input);
  const pattern = patternOf(input);
  const origin = isEncrypted(input) === true ? "https://localhost" : "http://localhost";
  const parsed = parsedURL(url.startsWith("/") ? origin + url : url);
  return {
    // A value that clients choose freely would be a metric of its own each time.
    ...(isMethod(method)
      ? { "http.request.method": method }
      : { "http.request.method": "_OTHER", "http.request.method_original": method.slice(0, 80) }),
    ...(pattern !== null && { "http.route": pattern }),
    ...(parsed !== null && { "url.scheme": schemeOf(parsed, origin), "url.path": parsed.pathname }),
  };
}

/** RFC 9112 §3.2.2: a client may write any scheme into its request. */
function schemeOf({ protocol }: URL, origin: string): string {
  return (/^https?:$/.test(protocol) ? protocol : origin).replace(/:.*/s, "");
}

// The query is left out: it may hold what must not be recorded.
function nameOf({ "http.request.method": method, "http.route": pattern }: Attributes): string {
  const name = method === "_OTHER" ? "HTTP" : String(method);
  return pattern === undefined ? name : `${name} ${String(pattern)}`;
}

/** Returns what a request failed by, if the server is at fault: a client's mistake is no error of its span. */
function errorTypeOf(status: number | null, error: unknown): string | null {
  // A method that nobody has is the client's choice.
  if (status === null || status < 500 || status === 501) return null;
  return isUnknown(error) ? error.name : String(status);
}

function isUnknown(error: unknown): error is Error {
  return isError(error) && !(error instanceof HTTPError);
}
