import { JoinedText } from "./joined-text.ts";
import { ResponseError } from "./response-error.ts";
import type { EventsCall } from "./client-options.ts";
import { isRepeatable } from "./repeatable.ts";
import { isStream } from "./sent-content.ts";
import { wait } from "./wait.ts";

/** Options of `clientEvents()`. */
export interface ClientEventsOptions {
  /** Maximum number of attempts in a row that get no stream. Then the loop throws. Default: 10. */
  readonly maxRetries?: number | undefined;
  /** Maximum number of characters of an event, or of a line that ends no event. Default: 16,777,216. */
  readonly maxCharacters?: number | undefined;
}

/**
 * Reads server-sent events as an async iterable of their data, and reconnects when the stream breaks off.
 *
 * The wait begins at one second, or as the server's `retry` says, and doubles up to 60 seconds, with jitter. An event
 * resets it. The request has `Last-Event-ID`. The events end with 204, and when you leave the loop.
 *
 * Where the network fails, or the status is 429 or 500 and above, the client asks again: 10 times in a row. That takes
 * about five minutes. Then the loop throws.
 *
 * Only an idempotent method, or a call with an `Idempotency-Key`, is sent again, and no stream as content. The events
 * of other calls end with their stream, and the loop throws if it breaks off.
 *
 * The data is parsed as JSON. An event without data, such as one that has a name only, is `undefined`.
 *
 * @throws {ResponseError} for any other answer to a new request, for data that is not JSON, and for an event that is
 * too long. Also for a stream that breaks off and must not be requested again.
 * @throws {TypeError} what the last try threw, and when an option is wrong.
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
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch, events: clientEvents });
 * for await (const price of (await api["/prices"].GET()).orThrow()) {
 *   console.log(price.cents); // 1500
 *   break;
 * }
 * ```
 */
export function clientEvents(
  response: Response,
  call: EventsCall,
  options: ClientEventsOptions = {},
): AsyncGenerator<unknown, void> {
  const { maxRetries = 10, maxCharacters = 2 ** 24 }: ClientEventsOptions = {
    __proto__: null,
    ...options,
  } as ClientEventsOptions;
  for (const [option, count] of Object.entries({ maxRetries, maxCharacters })) {
    if (!(count >= 1))
      throw new TypeError(`Cannot call clientEvents(): its option "${option}" must be a number from 1 on`);
  }
  const { key, signal, headers, idempotencyKey, content } = call;
  const isTakenTwice = idempotencyKey !== undefined || isRepeatable(key.split(" ", 1)[0]!, headers);
  const sendAgain = isTakenTwice && !isStream(content) ? call.sendAgain : null;
  const events = eventsFrom(response, { key, signal, sendAgain }, maxRetries, maxCharacters);
  // A generator that has not begun does not run its `finally`: `return()` would leave the connection open.
  events.next().catch(() => {});
  return events;
}

type RepeatedCall = Pick<EventsCall, "key" | "signal"> & { readonly sendAgain: EventsCall["sendAgain"] | null };

async function* eventsFrom(
  response: Response,
  { key, signal, sendAgain }: RepeatedCall,
  maxRetries: number,
  maxCharacters: number,
): AsyncGenerator<unknown, void> {
  let lastId = "";
  let firstMs = 1_000;
  let waits = 0;
  for (let current = response, isFirst = true; ; isFirst = false) {
    const reader = (current.body as ReadableStream<Uint8Array>).getReader();
    const stream = new EventStream(lastId, firstMs);
    const cancel = (): Promise<void> => reader.cancel().catch(() => {});
    // A function of your own, such as `app.fetch`, may not end what it sent. Then a read would wait for ever.
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) void cancel();
    const refuse = (cause: unknown): never => {
      throw new ResponseError(current, key, undefined, cause);
    };
    try {
      if (isFirst) yield;
      for (;;) {
        const { done, value } = await reader
          .read()
          // A connection that breaks off is opened again.
          .catch((cause: unknown) => (sendAgain || signal?.aborted ? ended : refuse(cause)));
        if (done) break;
        for (const data of stream.read(value as Uint8Array)) {
          waits = 0;
          yield data && parsed(data, current, key);
        }
        if (stream.length > maxCharacters)
          refuse(new RangeError(`Cannot read the event: it has more than ${maxCharacters} characters`));
        ({ lastId, retryMs: firstMs } = stream);
      }
    } finally {
      signal?.removeEventListener("abort", cancel);
      await cancel();
    }
    let next: Response | undefined;
    for (let tried = 1; !next; tried++) {
      // Many clients do not come back at once.
      if (sendAgain) await wait(Math.min(firstMs * 2 ** waits++, longestMs) * (0.5 + Math.random() / 2), signal);
      signal?.throwIfAborted();
      if (!sendAgain) return;
      try {
        next = await sendAgain(lastId ? { "last-event-id": fieldOf(lastId) } : {});
      } catch (error) {
        signal?.throwIfAborted();
        if (tried >= maxRetries) throw error;
      }
      signal?.throwIfAborted();
      if (next && tried < maxRetries && (next.status > 499 || next.status === 429)) {
        await next.body?.cancel();
        next = undefined;
      }
    }
    if (next.status === 204) return;
    if (next.status !== 200 || !/^text\/event-stream/i.test(`${next.headers.get("content-type")}`))
      throw new ResponseError(next, key);
    current = next;
  }
}

const ended = { done: true, value: undefined } as const;
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

/** An id as bytes of UTF-8, each a character, as fields are written (HTML §9.2.3). */
function fieldOf(id: string): string {
  return Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join("");
}

/** Parses a stream of events (HTML Standard, §9.2.6). An event that the end of the stream cuts off does not count. */
class EventStream {
  /** The id of the last event that was whole. */
  lastId: string;
  retryMs: number;
  /** How many characters are kept of the event that is under way. */
  get length(): number {
    return this.#data.length + this.#line.length;
  }
  readonly #decoder = new TextDecoder();
  #id: string;
  readonly #line = new JoinedText();
  #endsInReturn = false;
  /** The lines of data, each with its end. */
  readonly #data = new JoinedText();

  constructor(lastId: string, retryMs: number) {
    this.lastId = this.#id = lastId;
    this.retryMs = retryMs;
  }

  /** Returns the data of the events that end in the bytes: an empty text becomes `undefined`. */
  *read(bytes: Uint8Array): Iterable<string | undefined> {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (!text) return;
    if (this.#endsInReturn && text.startsWith("\n")) text = text.slice(1);
    this.#endsInReturn = text.endsWith("\r");
    const parts = text.split(/\r\n|\n|\r/);
    const rest = parts.pop()!;
    for (const part of parts) {
      this.#line.add(part);
      const line = this.#line.take();
      if (line) {
        this.#take(line);
        continue;
      }
      this.lastId = this.#id;
      const data = this.#data.take();
      if (data) yield data.slice(0, -1) || undefined;
    }
    this.#line.add(rest);
  }

  /** A line that begins with a colon is a comment: it has no name. */
  #take(line: string): void {
    const [, name, value] = /^([^:]*):? ?([^]*)/.exec(line) as unknown as [string, string, string];
    if (name === "data") this.#data.add(`${value}\n`);
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Math.max(Number(value), shortestMs);
  }
}
