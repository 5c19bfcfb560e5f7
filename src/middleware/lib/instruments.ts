import {
  metrics,
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  type MetricOptions,
} from "@opentelemetry/api";
import { print } from "../../dispatch/error-response.ts";
import type { Measured } from "../../http/javascript/measuring.ts";

/** An instrument of the provider that is registered when something is recorded. */
export class Instrument<Kind> {
  readonly #make: (meter: Meter) => Kind;
  #made: { readonly meter: Meter; readonly instrument: Kind } | null = null;

  constructor(make: (meter: Meter) => Kind) {
    this.#make = make;
  }

  get(): Kind {
    const meter = metrics.getMeter("fingerpost");
    if (this.#made?.meter !== meter) this.#made = { meter, instrument: this.#make(meter) };
    return this.#made.instrument;
  }
}

export const durations: Instrument<Histogram> = histogram("http.server.request.duration", {
  description: "Duration of HTTP server requests.",
  unit: "s",
  advice: {
    explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
});
export const receivedBytes: Instrument<Histogram> = histogram("http.server.request.body.size", {
  description: "Size of HTTP server request bodies.",
  unit: "By",
});
export const sentBytes: Instrument<Histogram> = histogram("http.server.response.body.size", {
  description: "Size of HTTP server response bodies.",
  unit: "By",
});
export const activeRequests: Instrument<Counter> = upDownCounter("http.server.active_requests", {
  description: "Number of active HTTP server requests.",
  unit: "{request}",
});

/** What other parts measure. */
const told: Readonly<Record<Measured, (value: number, attributes: Attributes) => void>> = {
  "fingerpost.after.active": added(upDownCounter, "fingerpost.after.active", {
    description: "Work after responses, waiting or running.",
    unit: "{task}",
  }),
  "fingerpost.idempotency.requests": added(counter, "fingerpost.idempotency.requests", {
    description: "Requests whose key was used before, by what came of it.",
    unit: "{request}",
  }),
  "fingerpost.refused_requests": added(counter, "fingerpost.refused_requests", {
    description: "Requests and connections that were refused, by the limit.",
    unit: "{request}",
  }),
  "fingerpost.sockets.active": added(upDownCounter, "fingerpost.sockets.active", {
    description: "Open WebSockets.",
    unit: "{connection}",
  }),
  "fingerpost.sockets.messages": added(counter, "fingerpost.sockets.messages", {
    description: "Messages of WebSockets.",
    unit: "{message}",
  }),
  "fingerpost.store.operation.duration": recorded("fingerpost.store.operation.duration", {
    description: "Duration of questions to stores of sessions, limits and writes.",
    unit: "s",
  }),
};

function histogram(name: string, options: MetricOptions): Instrument<Histogram> {
  return new Instrument((meter) => meter.createHistogram(name, options));
}

function counter(name: string, options: MetricOptions): Instrument<Counter> {
  return new Instrument((meter) => meter.createCounter(name, options));
}

function upDownCounter(name: string, options: MetricOptions): Instrument<Counter> {
  return new Instrument((meter) => meter.createUpDownCounter(name, options));
}

function added(
  make: (name: string, options: MetricOptions) => Instrument<Counter>,
  name: string,
  options: MetricOptions,
): (value: number, attributes: Attributes) => void {
  const instrument = make(name, options);
  return (value, attributes) => instrument.get().add(value, attributes);
}

function recorded(name: string, options: MetricOptions): (value: number, attributes: Attributes) => void {
  const instrument = histogram(name, options);
  return (value, attributes) => instrument.get().record(value, attributes);
}

/** Measures what other parts of the package tell of. A meter that throws changes nothing of what it measures. */
export function measure(name: Measured, value: number, attributes: Attributes = {}): void {
  try {
    told[name](value, attributes);
  } catch (error) {
    print(error);
  }
}
