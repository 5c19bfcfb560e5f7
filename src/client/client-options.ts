import type { CallInput } from "./calls.ts";

/** A function that sends a request, such as the global `fetch`, or `app.fetch` in tests. */
export type Fetch = (request: Request) => Promise<Response>;

/** Header fields, as `Headers` takes them. A field that is `undefined` is not sent. */
export type ClientHeaders =
  | Headers
  | readonly (readonly [name: string, value: string])[]
  | { readonly [name: string]: string | undefined };

/** Options of all calls of a client. */
export interface ClientOptions {
  /** Sends each request. Default: the global `fetch`, looked up at each call. */
  readonly fetch?: Fetch | undefined;
  /** Header fields of each request, or a function that returns them. It runs for each request, and may be async. */
  readonly headers?: ClientHeaders | (() => ClientHeaders | Promise<ClientHeaders>) | undefined;
  /** Whether cookies are sent. Write `"include"` for an API of another origin. Default: `"same-origin"`. */
  readonly credentials?: "include" | "omit" | "same-origin" | undefined;
  /** The declared status codes from 500 on. They are results, and any other one throws. Default: none. */
  readonly serverErrors?: readonly number[] | undefined;
  /**
   * Maximum size of a body in bytes. A longer one throws a `ResponseError`. Default: 64 MiB for JSON, text and errors,
   * 1 GiB for other content, which is a `Blob`. Events and lines are read as they come.
   */
  readonly maxBytes?: number | undefined;
  /** Reads server-sent events: `clientEvents` of `fingerpost/client`. Without it they throw. */
  readonly events?: ((response: Response, call: EventsCall) => AsyncIterable<unknown>) | undefined;
  /** Reads and writes JSON lines: `clientLines` of `fingerpost/client`. Without it they throw. */
  readonly lines?: LinesOfClient | undefined;
}

/** What `client()` needs to read and write JSON lines. */
export interface LinesOfClient {
  /** Reads the content of an answer. */
  readonly read: (response: Response, call: LinesCall) => AsyncIterable<unknown>;
  /** Writes the content of a request. */
  readonly write: (values: never) => Promise<Blob | ReadableStream<Uint8Array>>;
}

/** The call whose answer is lines, as a client knows it. */
export interface LinesCall {
  /** Method and path pattern, for messages. */
  readonly key: string;
  /** Cancels the call. */
  readonly signal: AbortSignal | undefined;
}

/** The call whose answer is a stream of events, as a client knows it. */
export interface EventsCall extends Pick<CallInput, "signal" | "headers" | "idempotencyKey" | "content"> {
  /** Method and path pattern, for messages. */
  readonly key: string;
  /**
   * Sends the request again, with further header fields. Without an `Idempotency-Key`, a method that is not idempotent
   * would take effect twice: `clientEvents()` does not send those again.
   */
  readonly sendAgain: (headers: Readonly<Record<string, string>>) => Promise<Response>;
}
