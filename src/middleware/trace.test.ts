import { once } from "node:events";
import { constants } from "node:http2";
import {
  context,
  createNoopMeter,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as tracing,
  TraceFlags,
  type Attributes,
  type Context,
  type Meter,
  type MetricOptions,
  type Span,
  type TextMapPropagator,
  type Tracer,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { RPCType, setRPCMetadata, W3CTraceContextPropagator, type RPCMetadata } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { load } from "fingerpost/middleware/load";
import { trace } from "fingerpost/middleware/trace";
import { HTTPError, Status } from "fingerpost/modules/http.native.js";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { charactersParsed } from "../../tests/growth/characters-read.ts";
import { AnySignal } from "../http/javascript/any-signal.ts";
import { measuring } from "../http/javascript/measuring.ts";
import { eventStreamOf } from "../http/message/event-stream.ts";
import { streamedValues } from "../http/message/streamed-values.ts";
import { http2Session } from "../../tests/support/http2.ts";
import { ask, begin, gate, started, turn } from "../../tests/support/sockets.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${parentId}-01`;

const exporter = new InMemorySpanExporter();

/** Registers what a host would: the provider, and the propagator if one is given. */
function register(propagator?: TextMapPropagator): void {
  tracing.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (propagator !== undefined) propagation.setGlobalPropagator(propagator);
}

beforeEach(() => register());
afterEach(() => {
  exporter.reset();
  for (const api of [tracing, context, propagation, metrics]) api.disable();
});

interface Measured {
  readonly seconds: number;
  readonly attributes: Attributes | undefined;
  /** The span that was active for the meter. */
  readonly span: Span | undefined;
}

interface Meters {
  /** Durations of requests. */
  readonly measured: Measured[];
  /** All else, by the name of its instrument. */
  readonly others: (readonly [name: string, value: number, attributes: Attributes | undefined])[];
  readonly made: (readonly [name: string, options: MetricOptions | undefined])[];
}

/** Registers a provider of meters, as a host would; what they measure, and the instruments that they made. */
function registerMeters(): Meters {
  const meters: Meters = { measured: [], others: [], made: [] };
  const { measured, others, made } = meters;
  const createHistogram: Meter["createHistogram"] = (name, options) => {
    made.push([name, options]);
    const isDuration = name === "http.server.request.duration";
    return {
      record: (value, attributes, active) =>
        isDuration
          ? measured.push({
              seconds: value,
              attributes,
              span: active === undefined ? undefined : tracing.getSpan(active),
            })
          : others.push([name, value, attributes]),
    };
  };
  const createCounter: Meter["createCounter"] = (name, options) => {
    made.push([name, options]);
    return { add: (value, attributes) => others.push([name, value, attributes]) };
  };
  const meter = Object.assign(Object.create(createNoopMeter()) as Meter, {
    createHistogram,
    createCounter,
    createUpDownCounter: createCounter,
  });
  metrics.disable();
  metrics.setGlobalMeterProvider({ getMeter: () => meter });
  return meters;
}

/**
 * Runs as within a span that the host or its instrumentation started, and ends that one; both spans of the only
 * request.
 */
async function within(kind: SpanKind, run: () => unknown, rpc?: RPCMetadata) {
  const outer = tracing.getTracer("host").startSpan("GET", { kind });
  const active = tracing.setSpan(context.active(), outer);
  await context.with(rpc === undefined ? active : setRPCMetadata(active, rpc), async () => run());
  outer.end();
  const [inner, ended, ...more] = exporter.getFinishedSpans();
  expect(more).toEqual([]);
  return { inner: inner!, outer: ended! };
}

/** The span of the only request. */
function span() {
  expect(exporter.getFinishedSpans()).toHaveLength(1);
  return exporter.getFinishedSpans()[0]!;
}

function spanOf(): Span {
  return tracing.getTracer("own").startSpan("own");
}

describe("trace()", () => {
  it("records a span of the server's kind, named after method and path pattern", async () => {
    await nativeAround(trace()).fetch(requestFor({ method: "POST" }, "/items/7?token=secret"));
    expect([span().name, span().kind]).toEqual(["POST /items/:id?", SpanKind.SERVER]);
    expect(span().instrumentationScope.name).toBe("fingerpost");
    expect(span().attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/items/:id?",
      "http.response.status_code": 200,
      "url.scheme": "http",
      "url.path": "/items/7",
    });
    expect(span().status.code).toBe(SpanStatusCode.UNSET);
  });

  it("names no route where no pattern matched", async () => {
    const { Application } = await import("fingerpost/modules/http.native.js");
    await Application.builder().middleware(trace()).build().fetch(requestFor({}, "/nothing"));
    expect(span().name).toBe("GET");
    expect(span().attributes).toMatchObject({ "http.response.status_code": 404, "url.path": "/nothing" });
    expect(span().attributes).not.toHaveProperty("http.route");
    expect(span().status.code).toBe(SpanStatusCode.UNSET);
  });

  it("has no name of a client's choice for a method that is not one of the nine", async () => {
    const { Application } = await import("fingerpost/modules/http.native.js");
    const app = Application.builder().middleware(trace()).build();
    await app.handle({ url: "/", method: `PURGE${"X".repeat(1000)}` }).catch(() => {});
    expect(span().name).toBe("HTTP");
    expect(span().attributes).toMatchObject({
      "http.request.method": "_OTHER",
      "http.request.method_original": `PURGE${"X".repeat(75)}`,
    });
  });

  it("C7.5 records no fault of the server where the client left, and no status, as none was sent", async () => {
    const { measured } = registerMeters();
    const left = new DOMException("left", "AbortError");
    for (const error of [left, new TypeError("fetch failed", { cause: left })]) {
      const client = new AbortController();
      const app = nativeAround(trace(), () => {
        client.abort(left);
        throw error;
      });
      await expect(app.handle(requestFor({ signal: client.signal }))).rejects.toBe(error);
      expect([span().status.code, span().events]).toEqual([SpanStatusCode.UNSET, []]);
      for (const { attributes } of [span(), measured.pop()!]) {
        expect(attributes).toMatchObject({ "http.route": "/items/:id?" });
        expect(attributes).not.toHaveProperty("http.response.status_code");
        expect(attributes).not.toHaveProperty("error.type");
      }
      exporter.reset();
    }
  });

  it.each(["HTTP/1.1", "HTTP/2"])("records so over %s, by both chains", async (protocol) => {
    for (const around of [nativeAround, polyfillAround]) {
      const { opened: reached, open } = gate();
      const app = around(trace(), async ({ signal }: { readonly signal: AbortSignal }): Promise<never> => {
        open();
        await once(signal, "abort");
        throw signal.reason;
      });
      if (protocol === "HTTP/2") {
        const session = await http2Session(app);
        const stream = session.request({ ":path": "/items/7" }).on("error", () => {});
        await reached;
        stream.close(constants.NGHTTP2_CANCEL);
      } else {
        const request = begin(await started(app), { path: "/items/7" })
          .on("error", () => {})
          .end();
        await reached;
        request.destroy();
      }
      while (exporter.getFinishedSpans().length === 0) await turn(5);
      expect([span().name, span().status.code]).toEqual(["GET /items/:id?", SpanStatusCode.UNSET]);
      expect(span().attributes).not.toHaveProperty("http.response.status_code");
      exporter.reset();
    }
  });

  it("records an unknown error, and throws it on", async () => {
    const error = new RangeError("bug");
    const app = nativeAround(trace(), () => {
      throw error;
    });
    await expect(app.handle(requestFor())).rejects.toBe(error);
    expect(span().status.code).toBe(SpanStatusCode.ERROR);
    expect(span().attributes).toMatchObject({ "http.response.status_code": 500, "error.type": "RangeError" });
    expect(span().events[0]!.attributes).toMatchObject({ "exception.message": "bug" });
  });

  it("records the status of an HTTPError; a client's mistake is not an error of the server", async () => {
    for (const [status, code] of [
      [Status.Conflict, SpanStatusCode.UNSET],
      [Status.BadGateway, SpanStatusCode.ERROR],
    ] as const) {
      const app = nativeAround(trace(), () => {
        throw new HTTPError(status);
      });
      await app.fetch(requestFor());
      expect([span().attributes["http.response.status_code"], span().status.code]).toEqual([status.status, code]);
      expect(span().attributes["error.type"]).toBe(code === SpanStatusCode.ERROR ? "502" : undefined);
      expect(span().events).toEqual([]);
      exporter.reset();
    }
  });

  it("C7.1 recognizes an HTTPError by its class, not by its name", async () => {
    class OutOfStock extends HTTPError {
      override name = "OutOfStock";
    }
    for (const [error, type, isRecorded] of [
      [new OutOfStock(Status.ServiceUnavailable), "503", false],
      [Object.assign(new Error("of a client of HTTP"), { name: "HTTPError", status: 404 }), "HTTPError", true],
      // Sent as 500, as it is not final.
      [new HTTPError(Status.EarlyHints), "500", false],
    ] as const) {
      const app = nativeAround(trace(), () => {
        throw error;
      });
      const { status } = await app.fetch(requestFor());
      expect(span().attributes).toMatchObject({ "http.response.status_code": status, "error.type": type });
      expect(span().events.length > 0).toBe(isRecorded);
      exporter.reset();
    }
  });

  it("W3C Trace Context §3.2 continues the trace of the caller, without a propagator", async () => {
    const headers = { traceparent, tracestate: "a=1,b=2" };
    await nativeAround(trace()).fetch(requestFor({ headers }));
    const { parentSpanContext } = span();
    expect(span().spanContext().traceId).toBe(traceId);
    expect(parentSpanContext).toMatchObject({ spanId: parentId, traceFlags: 1, isRemote: true });
    expect(parentSpanContext!.traceState!.serialize()).toBe("a=1,b=2");
  });

  it("W3C Trace Context §3.3 has no state of a caller that sent none", async () => {
    await nativeAround(trace()).fetch(requestFor({ headers: { traceparent } }));
    expect(span().parentSpanContext!.spanId).toBe(parentId);
    expect(span().parentSpanContext!.traceState).toBeUndefined();
  });

  it("W3C Trace Context §3.2 continues the trace of the caller by the propagator that is registered", async () => {
    const extracted: string[] = [];
    class Observed extends W3CTraceContextPropagator {
      override extract(...args: Parameters<W3CTraceContextPropagator["extract"]>): Context {
        extracted.push(...[args[2].get(args[1], "traceparent")].flat().map(String), ...args[2].keys(args[1]));
        return super.extract(...args);
      }
    }
    register(new Observed());
    await nativeAround(trace()).fetch(requestFor({ headers: { traceparent } }));
    expect(span().spanContext().traceId).toBe(traceId);
    expect(span().parentSpanContext!.spanId).toBe(parentId);
    expect(extracted).toEqual([traceparent, "traceparent", "tracestate"]);
  });

  it("W3C Trace Context §4.2 begins a new trace when traceparent is malformed", async () => {
    for (const headers of [{}, { traceparent: "00-0-0-01" }, { traceparent: `${traceparent}, ${traceparent}` }]) {
      await nativeAround(trace()).fetch(requestFor({ headers }));
      expect(span().parentSpanContext).toBeUndefined();
      exporter.reset();
    }
  });

  it("W3C Trace Context §3.3 skips tracestate if traceparent is malformed, and what is malformed in it", async () => {
    await nativeAround(trace()).fetch(requestFor({ headers: { traceparent: "00-0-0-01", tracestate: "a=1" } }));
    expect([span().parentSpanContext, span().spanContext().traceState]).toEqual([undefined, undefined]);
    exporter.reset();
    for (const tracestate of ["", "=", ",,,", "a", "A=\u00e9", "a=1=", "x".repeat(600)]) {
      await nativeAround(trace()).fetch(requestFor({ headers: { traceparent, tracestate } }));
      expect([span().spanContext().traceId, span().parentSpanContext!.spanId], tracestate).toEqual([traceId, parentId]);
      exporter.reset();
    }
    await nativeAround(trace()).fetch(requestFor({ headers: { traceparent, tracestate: "bad, a=1" } }));
    expect(span().spanContext().traceState!.serialize()).toBe("a=1");
  });

  it("has the handler run inside the span, so that what it does and sends is of the same trace", async () => {
    register(new W3CTraceContextPropagator());
    const sent: Record<string, string> = {};
    const app = nativeAround(trace(), async () => {
      await Promise.resolve();
      tracing.getTracer("test").startSpan("inside").end();
      propagation.inject(context.active(), sent);
      return new Response();
    });
    await app.fetch(requestFor({ headers: { traceparent } }));
    const [inside, server] = exporter.getFinishedSpans();
    expect(inside!.parentSpanContext!.spanId).toBe(server!.spanContext().spanId);
    expect(sent["traceparent"]).toBe(`00-${traceId}-${server!.spanContext().spanId}-01`);
  });

  it("is a child, no second server span, where the host has one, and names the route on that one", async () => {
    register(new W3CTraceContextPropagator());
    const request = requestFor({ headers: { traceparent } }, "/items/7");
    const { inner, outer } = await within(SpanKind.SERVER, () => nativeAround(trace()).fetch(request));
    expect([inner.kind, inner.name, outer.kind, outer.name]).toEqual([
      SpanKind.INTERNAL,
      "GET /items/:id?",
      SpanKind.SERVER,
      "GET /items/:id?",
    ]);
    // The host has read traceparent, or has not: it is not read twice.
    expect(inner.parentSpanContext!.spanId).toBe(outer.spanContext().spanId);
    expect(inner.spanContext().traceId).not.toBe(traceId);
    expect(outer.attributes).toEqual({ "http.route": "/items/:id?" });
  });

  it("leaves the host's span as it is where no pattern matched", async () => {
    const { Application } = await import("fingerpost/modules/http.native.js");
    const app = Application.builder().middleware(trace()).build();
    const { outer } = await within(SpanKind.SERVER, () => app.fetch(requestFor({}, "/nothing")));
    expect([outer.name, outer.attributes]).toEqual(["GET", {}]);
  });

  it("is a child of any span of this process, and names no route on what is not the server's", async () => {
    for (const kind of [SpanKind.INTERNAL, SpanKind.CLIENT]) {
      const { inner, outer } = await within(kind, () => nativeAround(trace()).fetch(requestFor()));
      expect([inner.kind, inner.parentSpanContext!.spanId]).toEqual([SpanKind.INTERNAL, outer.spanContext().spanId]);
      expect([outer.name, outer.attributes]).toEqual(["GET", {}]);
      exporter.reset();
    }
  });

  it("reports the route to instrumentation that is further out, by its metadata", async () => {
    for (const kind of [SpanKind.SERVER, SpanKind.INTERNAL]) {
      const server = tracing.getTracer("host").startSpan("GET", { kind: SpanKind.SERVER });
      const rpc: RPCMetadata = { type: RPCType.HTTP, span: server };
      await within(kind, () => nativeAround(trace()).fetch(requestFor()), rpc);
      expect(rpc.route).toBe("/items/:id?");
      server.end();
      const [, , ended] = exporter.getFinishedSpans();
      expect([ended!.name, ended!.attributes]).toEqual(["GET /items/:id?", { "http.route": "/items/:id?" }]);
      exporter.reset();
    }
  });

  it("leaves the server's span its name when a handler asks the application itself", async () => {
    const { Application, Resource } = await import("fingerpost/modules/http.native.js");
    class Part extends Resource {
      paths = ["/part"];
      GET = (): Response => new Response("part");
    }
    class Page extends Resource {
      paths = ["/page"];
      GET = (): Promise<Response> => app.fetch(requestFor({}, "/part"));
    }
    const app = Application.builder().resources(Part, Page).middleware(trace()).build();
    await app.fetch(requestFor({}, "/page"));
    const spans = exporter.getFinishedSpans().map((one) => [one.name, one.kind, one.attributes["http.route"]]);
    expect(spans).toEqual([
      ["GET /part", SpanKind.INTERNAL, "/part"],
      ["GET /page", SpanKind.SERVER, "/page"],
    ]);
  });

  it("is one of the server's kind where only the caller's context is active", async () => {
    const remote = { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    const none = { traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: TraceFlags.NONE };
    for (const outer of [remote, none]) {
      const active = tracing.setSpanContext(ROOT_CONTEXT, outer);
      await context.with(active, () => nativeAround(trace()).fetch(requestFor({ headers: { traceparent } })));
      expect([span().kind, span().parentSpanContext!.spanId]).toEqual([SpanKind.SERVER, parentId]);
      exporter.reset();
    }
  });

  it("is not recorded where the host's span is not", async () => {
    const { measured } = registerMeters();
    const left = { traceId, spanId: parentId, traceFlags: TraceFlags.NONE };
    await context.with(tracing.setSpanContext(ROOT_CONTEXT, left), () => nativeAround(trace()).fetch(requestFor()));
    expect([exporter.getFinishedSpans(), measured]).toEqual([[], []]);
  });

  it("measures the duration of each request in seconds, by what no client chooses", async () => {
    const { measured, made } = registerMeters();
    const app = nativeAround(trace(), () => new Response(null, { status: 201 }));
    await app.fetch(requestFor({ method: "POST" }, "/items/7?token=secret"));
    await app.fetch(requestFor({}, "/items/8"));
    expect(made.filter(([name]) => name.endsWith("duration"))).toEqual([
      [
        "http.server.request.duration",
        {
          description: "Duration of HTTP server requests.",
          unit: "s",
          advice: {
            explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
          },
        },
      ],
    ]);
    expect(measured.map(({ attributes }) => attributes)).toEqual(
      ["POST", "GET"].map((method) => ({
        "http.request.method": method,
        "http.route": "/items/:id?",
        "http.response.status_code": 201,
        "url.scheme": "http",
      })),
    );
    for (const { seconds } of measured) expect(seconds >= 0 && seconds < 10).toBe(true);
    const spans = exporter.getFinishedSpans().map((one) => one.spanContext().spanId);
    expect(measured.map((one) => one.span!.spanContext().spanId)).toEqual(spans);
  });

  it("counts what is refused for load, by its cause", async () => {
    const { others, made } = registerMeters();
    const spy = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => spy.mockRestore());
    trace();
    const waiting = gate();
    const app = nativeAround(load({ maxRequests: 1 }), () => waiting.opened.then(() => new Response()));
    const first = app.fetch(requestFor());
    expect((await app.fetch(requestFor())).status).toBe(503);
    waiting.open();
    expect((await first).status).toBe(200);
    expect(made.map(([name, options]) => [name, options?.unit])).toEqual([
      ["fingerpost.refused_requests", "{request}"],
    ]);
    expect(others).toEqual([["fingerpost.refused_requests", 1, { "error.type": "maxRequests" }]]);
  });

  it("measures requests under way, and the content that is declared both ways", async () => {
    const { others } = registerMeters();
    const waiting = gate();
    const app = nativeAround(trace(), async () => {
      await waiting.opened;
      return new Response("abc", { headers: { "content-length": "3" } });
    });
    const answer = app.fetch(requestFor({ method: "POST", body: "12345", headers: { "content-length": "5" } }));
    const request = { "http.request.method": "POST", "url.scheme": "http" };
    expect(others).toEqual([["http.server.active_requests", 1, request]]);
    waiting.open();
    await answer;
    const measured = { ...request, "http.route": "/items/:id?", "http.response.status_code": 200 };
    expect(others.slice(1)).toEqual([
      ["http.server.active_requests", -1, request],
      ["http.server.request.body.size", 5, measured],
      ["http.server.response.body.size", 3, measured],
    ]);
  });

  it("measures what the package tells of", () => {
    const { others, made } = registerMeters();
    trace();
    const names = [
      ["fingerpost.after.active", "{task}"],
      ["fingerpost.idempotency.requests", "{request}"],
      ["fingerpost.sockets.active", "{connection}"],
      ["fingerpost.sockets.messages", "{message}"],
      ["fingerpost.store.operation.duration", "s"],
      ["fingerpost.streams.active", "{stream}"],
    ] as const;
    for (const [name] of names) measuring.measure!(name, 2);
    expect(others).toEqual(names.map(([name]) => [name, 2, {}]));
    expect(made.map(([name, options]) => [name, options?.unit])).toEqual(names);
  });

  it("counts streams while they are open, however they end", async () => {
    const { others } = registerMeters();
    trace();
    const open = (): number =>
      others.reduce((sum, [name, value]) => (name === "fingerpost.streams.active" ? sum + value : sum), 0);
    async function* values(): AsyncGenerator<string> {
      yield "a";
      yield "b";
    }
    async function* broken(): AsyncGenerator<string> {
      yield "a";
      throw new Error("broken");
    }
    const streams = [
      (from: () => AsyncGenerator<string>) => streamedValues(from(), String, new AnySignal()),
      (from: () => AsyncGenerator<string>) => eventStreamOf(from, String, new AnySignal(), {}, null, []),
    ];
    for (const streamOf of streams) {
      const whole = streamOf(values);
      expect(open()).toBe(0);
      const reader = whole.getReader();
      await reader.read();
      expect(open()).toBe(1);
      while (!(await reader.read()).done);
      expect(open()).toBe(0);
      const left = streamOf(values).getReader();
      await left.read();
      expect(open()).toBe(1);
      await left.cancel();
      expect(open()).toBe(0);
      await expect(new Response(streamOf(broken)).text()).rejects.toThrow("broken");
      expect(open()).toBe(0);
    }
    // A client leaves while a value is awaited: the stream ends once.
    const awaited = gate();
    const late = streams[0]!(async function* () {
      await awaited.opened;
      yield* [];
    });
    const reader = late.getReader();
    const read = reader.read();
    await turn();
    const canceled = reader.cancel();
    awaited.open();
    await Promise.all([read, canceled]);
    expect(open()).toBe(0);
  });

  it("answers where the meter of what the package tells of throws", () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const { others } = registerMeters();
    trace();
    metrics.disable();
    const broken = () => {
      throw new Error("no meter");
    };
    metrics.setGlobalMeterProvider({ getMeter: broken });
    measuring.measure!("fingerpost.after.active", 1);
    expect([others, String(told.mock.lastCall![0])]).toEqual([[], "Error: no meter"]);
  });

  const broken = (): never => {
    throw new Error("broken");
  };
  const none = (): never => undefined as never;

  it.each<[string, () => Meter]>([
    ["has no meters", broken],
    ["returns no meter", none],
    ["has no instruments", () => ({ createHistogram: broken, createUpDownCounter: broken }) as object as Meter],
    ["returns no instruments", () => ({ createHistogram: none, createUpDownCounter: none }) as object as Meter],
    [
      "records nothing",
      () =>
        ({
          createHistogram: () => ({ record: broken }),
          createUpDownCounter: () => ({ add: broken }),
        }) as object as Meter,
    ],
  ])("answers where the provider of meters %s, and ends its span", async (_, getMeter) => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => told.mockRestore());
    metrics.setGlobalMeterProvider({ getMeter });
    const app = nativeAround(trace(), ({ url }) => (url.endsWith("7") ? new Response("here") : broken()));
    expect([(await app.fetch(requestFor({}, "/items/7"))).status, (await app.fetch(requestFor())).status]).toEqual([
      200, 500,
    ]);
    expect(exporter.getFinishedSpans().map(({ attributes }) => attributes["http.response.status_code"])).toEqual([
      200, 500,
    ]);
    expect(told).toHaveBeenCalled();
  });

  it.each<[string, Tracer["startSpan"]]>([
    ["makes no span", broken],
    ["returns no span", none],
    ["ends no span", () => Object.assign(spanOf(), { end: broken })],
    ["has spans without attributes", () => Object.assign(spanOf(), { setAttributes: broken })],
    ["records no error", () => Object.assign(spanOf(), { recordException: broken })],
  ])("answers where the tracer %s, and measures", async (_, startSpan) => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => told.mockRestore());
    const { others } = registerMeters();
    const app = nativeAround(trace({ tracer: { startSpan } as Tracer }), ({ url }) =>
      url.endsWith("7") ? new Response("here") : broken(),
    );
    expect([(await app.fetch(requestFor({}, "/items/7"))).status, (await app.fetch(requestFor())).status]).toEqual([
      200, 500,
    ]);
    expect(told).toHaveBeenCalled();
    expect(others.reduce((sum, [, value]) => sum + value, 0)).toBe(0);
  });

  it("throws on what a handler throws, although nobody can read it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const { measured } = registerMeters();
    const odd = Object.defineProperty(new Error("odd"), "name", { get: broken });
    const seen: unknown[] = [];
    const app = nativeAround(
      trace(),
      () => Promise.reject(odd),
      (error) => void seen.push(error),
    );
    expect((await app.fetch(requestFor())).status).toBe(500);
    expect(seen).toEqual([odd]);
    expect(measured.map(({ attributes }) => attributes!["http.response.status_code"])).toEqual([500]);
  });

  it("RFC 9112 §3.2.2 has no scheme of a client's choice, which would be a series each time", async () => {
    const { measured, others } = registerMeters();
    const app = polyfillAround(trace());
    const server = await started(app);
    for (const path of ["/items", "http://h/items", "https://h/items", "abcd://h/items", "ftp://h/items"])
      expect((await ask(server, { path })).text).toBe("reached");
    await nativeAround(trace()).fetch({ url: "efgh://h/items", method: "GET" } as Request);
    const schemes = [...measured.map(({ attributes }) => attributes), ...others.map(([, , attributes]) => attributes)];
    expect(new Set(schemes.map((attributes) => attributes!["url.scheme"]))).toEqual(new Set(["http", "https"]));
    expect(measured).toHaveLength(6);
    expect(exporter.getFinishedSpans().map(({ attributes }) => attributes["url.path"])).toEqual(
      Array.from({ length: 6 }, () => "/items"),
    );
  });

  it("measures what failed, with the type of the error, and what has no status", async () => {
    const { measured } = registerMeters();
    const app = nativeAround(trace(), () => {
      throw new RangeError("bug");
    });
    await app.fetch(requestFor());
    expect(measured.pop()!.attributes).toMatchObject({ "http.response.status_code": 500, "error.type": "RangeError" });
    await polyfillAround(trace(), () => true).handle({ url: "/items", method: "GET" });
    expect(measured.pop()!.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/items/:id?",
      "url.scheme": "http",
    });
    const { Application } = await import("fingerpost/modules/http.native.js");
    const unknown = Application.builder().middleware(trace()).build();
    await unknown.handle({ url: "/", method: "PURGE" }).catch(() => {});
    expect(measured.pop()!.attributes).toEqual({
      "http.request.method": "_OTHER",
      "http.response.status_code": 404,
      "url.scheme": "http",
    });
  });

  it("leaves measuring to the host where the host has a span, as it measures, too", async () => {
    const { measured } = registerMeters();
    await within(SpanKind.SERVER, () => nativeAround(trace()).fetch(requestFor()));
    expect(measured).toEqual([]);
  });

  it("measures by the provider that is registered when the request comes", async () => {
    const app = nativeAround(trace());
    await app.fetch(requestFor());
    for (const _ of [1, 2]) {
      const { measured, made } = registerMeters();
      await app.fetch(requestFor());
      expect([measured.length, made.length]).toEqual([1, 2]);
    }
  });

  it("works over a socket, by both chains", async () => {
    for (const app of [nativeAround(trace()), polyfillAround(trace())]) {
      await ask(await started(app), { path: "/items/7?secret", headers: { traceparent } });
      expect(span().attributes).toMatchObject({
        "http.route": "/items/:id?",
        "http.response.status_code": 200,
        "url.scheme": "http",
        "url.path": "/items/7",
      });
      expect(span().parentSpanContext!.spanId).toBe(parentId);
      exporter.reset();
    }
  });

  it("knows the scheme of a context by its socket", async () => {
    for (const [request, scheme] of [
      [{ socket: { encrypted: true } }, "https"],
      [{ socket: {} }, "http"],
      [{}, "http"],
    ] as const) {
      await polyfillAround(trace(), () => true).handle({ url: "/items", method: "GET", request });
      expect(span().attributes["url.scheme"]).toBe(scheme);
      exporter.reset();
    }
  });

  it("has no status where none is known, and no path where the URL is none", async () => {
    await polyfillAround(trace(), () => true).handle({ url: "/items", method: "GET" });
    expect(span().attributes).not.toHaveProperty("http.response.status_code");
    expect(span().status.code).toBe(SpanStatusCode.UNSET);
    exporter.reset();
    const { Application } = await import("fingerpost/modules/http.native.js");
    const app = Application.builder().middleware(trace()).build();
    await app.handle({ url: "*", method: "OPTIONS" }).catch(() => {});
    expect(span().attributes).not.toHaveProperty("url.path");
  });

  it("RFC 1035 §2.3.4 has no path where the host is too long, and has it parsed by nobody", async () => {
    const url = `http://xn--${"9a".repeat(8000)}/a`;
    const Traced = trace();
    const traced = new Traced();
    // Alone, as what finds a resource parses the URL, too; there is nothing to go on to.
    expect(charactersParsed(() => void Promise.resolve(traced.ALL!({ url, method: "GET" })).catch(() => {}))).toBe(0);
    await new Promise((done) => setTimeout(done));
    expect(span().attributes).not.toHaveProperty("url.path");
  });

  it("takes a tracer", async () => {
    const names: string[] = [];
    const inner = tracing.getTracer("own");
    const tracer = { startSpan: (name, ...rest) => (names.push(name), inner.startSpan(name, ...rest)) } as Tracer;
    await nativeAround(trace({ tracer })).fetch(requestFor());
    expect(names).toEqual(["GET /items/:id?"]);
  });

  it("sets no attribute for a status that is not known, which a tracer may not pass over", async () => {
    const inner = tracing.getTracer("own");
    const set: string[] = [];
    const startSpan: Tracer["startSpan"] = (...args) => {
      const recorded = inner.startSpan(...args);
      recorded.setAttribute = (name) => (set.push(name), recorded);
      return recorded;
    };
    const Traced = trace({ tracer: { startSpan } as Tracer });
    await polyfillAround(Traced, () => true).handle({ url: "/items", method: "GET" });
    expect(set).toEqual([]);
    await nativeAround(Traced).fetch(requestFor());
    expect(set).toEqual(["http.response.status_code"]);
  });

  it("does nothing that can be seen where no provider is registered", async () => {
    tracing.disable();
    expect((await nativeAround(trace()).fetch(requestFor({ headers: { traceparent } }))).status).toBe(200);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it("C7.4 names the option that is wrong", () => {
    for (const tracer of [{}, null, "x"] as never[]) {
      expect(refusalOf(() => trace({ tracer }))).toContain('its option "tracer" must be a Tracer');
    }
    expect(refusalOf(() => trace({ name: "x" } as never))).toContain("name");
  });
});
