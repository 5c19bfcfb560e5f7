import { ResponseError } from "./response-error.ts";
import { wait } from "./wait.ts";

/** The call whose answer is a stream of events, as a client knows it. */
export interface EventsCall {
  /** Method and path pattern, for messages. */
  readonly key: string;
  /** Cancels the call. */
  readonly signal: AbortSignal | undefined;
  /** Sends the request again, with further header fields. */
  readonly sendAgain: (headers: Readonly<Record<string, string>>) => Promise<Response>;
}

/**
 * Reads server-sent events as an async iterable of their data, and reconnects when the stream breaks off.
 *
 * The wait begins at one second, or as the server's `retry` says, and doubles up to 60 seconds, with jitter. An event resets it. The
 * request has `Last-Event-ID`. The events end with 204, and when you leave the loop.
 *
 * Where the server cannot answer now, by a status from 500 on or 429, it is asked again as well.
 *
 * @throws {ResponseError} for any other answer to a new request, and for data that is not JSON.
 * @throws {DOMException} when the signal of the call aborts.
 * @example
 * ```ts
 * class Prices extends Resource {
 *   paths = ["/prices"] as const;
 *
 *   static GET = { 200: events(z.object({ cents: z.int() })) };
 *   async *GET() {
 *     yield { cents: 1_500 };
 *   }
 * }
 * const app = Application.builder().resources(Prices).build();
 *
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch, events: eventsOf });
 * for await (const price of (await api["/prices"].GET()).orThrow()) {
 *   console.log(price.cents); // 1500
 *   break;
 * }
 * ```
 */
export function eventsOf(response: Response, call: EventsCall): AsyncGenerator<unknown, void> {
  const events = eventsFrom(response, call);
  // A generator that has not begun does not run its `finally`: `return()` would leave the connection open.
  events.next().catch(() => {});
  return events;
}

async function* eventsFrom(response: Response, { key, signal, sendAgain }: EventsCall): AsyncGenerator<unknown, void> {
  let lastId = "";
  let firstMs = 1_000;
  let waits = 0;
  for (let current = response; ;) {
    const reader = (current.body as ReadableStream<Uint8Array>).getReader();
    const stream = new EventStream(lastId, firstMs);
    const cancel = (): Promise<void> => reader.cancel().catch(() => {});
    // A function of your own, such as `app.fetch`, may not end what it sent. Then a read would wait for ever.
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) void cancel();
    try {
      // The first time.
      if (waits === 0) yield;
      for (;;) {
        // What breaks off is asked for again.
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
        if (done) break;
        for (const data of stream.read(value as Uint8Array)) {
          waits = 0;
          yield parsed(data, current, key);
        }
        ({ lastId, retryMs: firstMs } = stream);
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      await cancel();
    }
    let next: Response | null;
    do {
      // Many clients do not come back at once.
      await wait(Math.min(firstMs * 2 ** waits++, longestMs) * (0.5 + Math.random() / 2), signal);
      next = await sendAgain(lastId ? { "last-event-id": lastId } : {}).catch(() => null);
      signal?.throwIfAborted();
    } while (!next || next.status > 499 || next.status === 429);
    if (next.status === 204) return;
    if (next.status !== 200 || !/^text\/event-stream/i.test(`${next.headers.get("content-type")}`))
      throw new ResponseError(next, key);
    current = next;
  }
}

const longestMs = 60_000;
/** A server that is down would be asked without end. */
const shortestMs = 10;

function parsed(data: string, response: Response, key: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new ResponseError(response, key, data, cause);
  }
}

/** Parses a stream of events (HTML Standard, §9.2.6). An event that the end of the stream cuts off does not count. */
class EventStream {
  /** The id of the last event that was whole. */
  lastId: string;
  retryMs: number;
  readonly #decoder = new TextDecoder();
  #id: string;
  #text = "";
  #endsInReturn = false;
  #data: string[] = [];

  constructor(lastId: string, retryMs: number) {
    this.lastId = this.#id = lastId;
    this.retryMs = retryMs;
  }

  /** Returns the data of the events that end in the bytes. */
  *read(bytes: Uint8Array): Iterable<string> {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (!text) return;
    if (this.#endsInReturn && text.startsWith("\n")) text = text.slice(1);
    this.#endsInReturn = text.endsWith("\r");
    const lines = (this.#text + text).split(/\r\n|\n|\r/);
    this.#text = lines.pop()!;
    for (const line of lines) {
      if (line) this.#take(line);
      else {
        this.lastId = this.#id;
        if (this.#data.length) yield this.#data.join("\n");
        this.#data = [];
      }
    }
  }

  /** A line that begins with a colon is a comment: it has no name. */
  #take(line: string): void {
    const [, name, value] = /^([^:]*):? ?([^]*)/.exec(line) as unknown as [string, string, string];
    if (name === "data") this.#data.push(value);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Math.max(Number(value), shortestMs);
  }
}
