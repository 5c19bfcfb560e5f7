import {
  metrics,
  type Attributes,
  type Context,
  type Counter,
  type Histogram,
  type Meter,
  type MetricOptions,
} from "@opentelemetry/api";
import { print } from "../../dispatch/error-response.ts";
import type { Measured } from "../../http/javascript/measuring.ts";

type Kind = "createCounter" | "createHistogram" | "createUpDownCounter";

/** An instrument of the provider that is registered when something is recorded. */
export class Instrument {
  readonly #kind: Kind;
  readonly #name: string;
  readonly #options: MetricOptions;
  #made: { readonly meter: Meter; readonly instrument: Histogram | Counter } | null = null;

  constructor(kind: Kind, name: string, options: MetricOptions) {
    this.#kind = kind;
    this.#name = name;
    this.#options = options;
  }

  /** Records a value. A meter that throws changes nothing of what it measures. */
  record(value: number, attributes: Attributes, active?: Context): void {
    attempt(() => {
      const meter = metrics.getMeter("fingerpost");
      if (this.#made?.meter !== meter) this.#made = { meter, instrument: meter[this.#kind](this.#name, this.#options) };
      const { instrument } = this.#made;
      if (this.#kind === "createHistogram") (instrument as Histogram).record(value, attributes, active);
      else (instrument as Counter).add(value, attributes, active);
    });
  }
}

/** Runs what only observes, so that its failure is printed and nothing else. */
export function attempt<Given>(run: () => Given): Given | null {
  try {
    return run();
  } catch (error) {
    print(error);
    return null;
  }
}

export const durations: Instrument = new Instrument("createHistogram", "http.server.request.duration", {
  description: "Duration of HTTP server requests.",
  unit: "s",
  advice: {
    explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
});
export const receivedBytes: Instrument = new Instrument("createHistogram", "http.server.request.body.size", {
  description: "Size of HTTP server request bodies.",
  unit: "By",
});
export const sentBytes: Instrument = new Instrument("createHistogram", "http.server.response.body.size", {
  description: "Size of HTTP server response bodies.",
  unit: "By",
});
export const activeRequests: Instrument = new Instrument("createUpDownCounter", "http.server.active_requests", {
  description: "Number of active HTTP server requests.",
  unit: "{request}",
});

/** What other parts measure. */
const told: Readonly<Record<Measured, Instrument>> = {
  "fingerpost.after.active": new Instrument("createUpDownCounter", "fingerpost.after.active", {
    description: "Work after responses, waiting or running.",
    unit: "{task}",
  }),
  "fingerpost.idempotency.requests": new Instrument("createCounter", "fingerpost.idempotency.requests", {
    description: "Requests whose key was used before, by what came of it.",
    unit: "{request}",
  }),
  "fingerpost.refused_requests": new Instrument("createCounter", "fingerpost.refused_requests", {
    description: "Requests and connections that were refused, by the limit.",
    unit: "{request}",
  }),
  "fingerpost.sockets.active": new Instrument("createUpDownCounter", "fingerpost.sockets.active", {
    description: "Open WebSockets.",
    unit: "{connection}",
  }),
  "fingerpost.sockets.messages": new Instrument("createCounter", "fingerpost.sockets.messages", {
    description: "Messages of WebSockets.",
    unit: "{message}",
  }),
  "fingerpost.store.operation.duration": new Instrument("createHistogram", "fingerpost.store.operation.duration", {
    description: "Duration of questions to stores of sessions, limits and writes.",
    unit: "s",
  }),
  "fingerpost.streams.active": new Instrument("createUpDownCounter", "fingerpost.streams.active", {
    description: "Open streams of events, lines, text and bytes.",
    unit: "{stream}",
  }),
};

/** Measures what other parts of the package tell of. */
export function measure(name: Measured, value: number, attributes: Attributes = {}): void {
  told[name].record(value, attributes);
}
