import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace as tracing,
  type Context,
  type TextMapPropagator,
  type Tracer,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { trace } from "fingerpost/middleware/trace.js";
import { HTTPError, Status } from "fingerpost/modules/http.native.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { ask, started } from "../../tests/support/sockets.ts";

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
  for (const api of [tracing, context, propagation]) api.disable();
});

/** The span of the only request. */
function span() {
  expect(exporter.getFinishedSpans()).toHaveLength(1);
  return exporter.getFinishedSpans()[0]!;
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

  it("records the status of an HTTPError; a client's mistake is no error of the server", async () => {
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

  it("C7.1 tells an HTTPError by its class, not by its name", async () => {
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

  it("W3C Trace Context §3.3 passes over tracestate where traceparent is malformed, and over what is malformed in it", async () => {
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
