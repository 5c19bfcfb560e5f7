import { trace as tracing, type Attributes, type Span, type Tracer } from "@opentelemetry/api";
import { trace } from "fingerpost/middleware/trace";
import type { MiddlewareRow } from "../middleware-row.ts";

let last: { name: string; traceId: string | undefined; attributes: Attributes } | undefined;

/** Records the name, the parent's trace and the attributes of the last span. */
const tracer: Tracer = {
  startSpan(name, options, parent): Span {
    const traceId = parent && tracing.getSpanContext(parent)?.traceId;
    const recorded = (last = { name, traceId, attributes: { ...options?.attributes } });
    return Object.assign(tracing.wrapSpanContext({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 1 }), {
      setAttributes(this: Span, given: Attributes) {
        Object.assign(recorded.attributes, given);
        return this;
      },
    });
  },
  startActiveSpan: () => {
    throw new Error("expected startSpan()");
  },
};

export const row: MiddlewareRow = {
  factory: trace,
  options: [{ base: {}, wrong: { tracer: [{}, "x"] } }],
  passes: [{ middleware: trace() }],
  exchanges: [
    {
      middleware: () => trace({ tracer }),
      polyfill: true,
      of: [[{ headers: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` } }, 200, {}, "reached"]],
      seen() {
        const { "http.route": pattern, "http.response.status_code": status } = last?.attributes ?? {};
        return {
          found: [last?.name, last?.traceId, pattern, status],
          expected: ["GET /items/:id?", "a".repeat(32), "/items/:id?", 200],
        };
      },
    },
  ],
  reads: [
    {
      create: () => trace(),
      sent: { traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-01` },
      fields: { tracestate: [""] },
    },
    { create: () => trace(), fields: { traceparent: [""] }, path: true },
  ],
};
