import {
  context,
  createTraceState,
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
import { methodOf, urlOf } from "../dispatch/input.ts";
import { Middleware } from "../application/middleware.ts";
import type { MiddlewareClass } from "../application/middleware.ts";
import { parseTraceparent } from "../fields/trace-context.ts";
import { HTTPError } from "../http/http-error.ts";
import { isMethod } from "../http/method.ts";
import { OptionCheck } from "../http/option-check.ts";
import { errorStatusOf, patternOf, statusOf } from "./lib/outcome.ts";
import { isEncrypted, requestField } from "./lib/request-fields.ts";

/** What `trace()` takes. */
export interface TraceOptions {
  /** Makes the spans: unless given, the tracer "fingerpost" of the provider that the host registered. */
  readonly tracer?: Tracer;
}

/**
 * Makes middleware that records a span of OpenTelemetry for each request, as the conventions for HTTP servers say.
 *
 * The caller's trace is continued by the propagator that the host registered, or, without any, by `traceparent` and
 * `tracestate` (W3C Trace Context). The span is active while the handler runs, where a context manager is registered.
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
  check.require(isTracer, "tracer", "a Tracer", tracer);

  return class Trace extends Middleware {
    async ALL(input: object): Promise<unknown> {
      const caller = callerOf(input);
      const attributes = attributesOf(input);
      const span = (tracer ?? tracing.getTracer("fingerpost")).startSpan(
        nameOf(attributes),
        { kind: SpanKind.SERVER, attributes },
        caller,
      );
      try {
        const result = await context.with(tracing.setSpan(caller, span), () => this.next(input));
        conclude(span, statusOf(result, input), null);
        return result;
      } catch (error) {
        conclude(span, errorStatusOf(error), error);
        throw error;
      } finally {
        span.end();
      }
    }
  };
}

const requestFields: TextMapGetter<object> = {
  get: (input, name) => requestField(input, name) ?? undefined,
  keys: () => propagation.fields(),
};

function callerOf(input: object): Context {
  const active = context.active();
  if (propagation.fields().length > 0) return propagation.extract(active, input, requestFields);
  const parent = parseTraceparent(requestField(input, "traceparent") ?? "");
  if (parent === null) return active;
  const { traceId, parentId: spanId, flags: traceFlags } = parent;
  const state = requestField(input, "tracestate");
  const traceState = state === null ? {} : { traceState: createTraceState(state) };
  return tracing.setSpanContext(active, { traceId, spanId, traceFlags, isRemote: true, ...traceState });
}

/** What is known before the handler runs, so that a sampler can decide by it. */
function attributesOf(input: object): Attributes {
  const method = methodOf(input);
  const url = urlOf(input);
  const route = patternOf(input);
  const origin = isEncrypted(input) === true ? "https://localhost" : "http://localhost";
  const target = url.startsWith("/") ? origin + url : url;
  return {
    // A value that clients choose freely would be a metric of its own each time.
    ...(isMethod(method)
      ? { "http.request.method": method }
      : { "http.request.method": "_OTHER", "http.request.method_original": method.slice(0, 80) }),
    ...(route !== null && { "http.route": route }),
    ...(URL.canParse(target) && partsOf(new URL(target))),
  };
}

// The query is left out: it may hold what must not be recorded.
function partsOf({ protocol, pathname }: URL): Attributes {
  return { "url.scheme": protocol.slice(0, -1), "url.path": pathname };
}

function nameOf({ "http.request.method": method, "http.route": route }: Attributes): string {
  const name = method === "_OTHER" ? "HTTP" : String(method);
  return route === undefined ? name : `${name} ${String(route)}`;
}

/** A client's mistake is no error of the server's span. */
function conclude(span: Span, status: number | null, error: unknown): void {
  if (status !== null) span.setAttribute("http.response.status_code", status);
  if (status === null || status < 500) return;
  span.setStatus({ code: SpanStatusCode.ERROR });
  const isUnknown = error instanceof Error && !(error instanceof HTTPError);
  span.setAttribute("error.type", isUnknown ? error.name : String(status));
  if (isUnknown) span.recordException(error);
}
