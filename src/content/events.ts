import { followsOf } from "../dispatch/followed-end.ts";
import { stoppingSignalFor } from "../dispatch/stopping-signal.ts";
import { described } from "../http/javascript/described.ts";
import {
  checkEventStreamOptions,
  eventStreamFields,
  eventStreamOf,
  eventStreamOptions,
  type EventStreamOptions,
} from "../http/message/event-stream.ts";
import { propertyOf } from "../http/javascript/property.ts";
import { AnySignal } from "../http/javascript/any-signal.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { eventText } from "../http/message/server-sent-event.ts";

/** An event for `eventStream()`. Each member can be left out. */
export interface SentEvent {
  /**
   * The data of the event: a string as it is, anything else as JSON. Without it, an event with a type has empty data,
   * and of one without a type a client only stores the id.
   */
  readonly data?: unknown;
  /** The id of the event, which a client sends as `Last-Event-ID` when it connects again. */
  readonly id?: string | undefined;
  /** The type of the event, for which a browser has listeners. Default: `message`. */
  readonly event?: string | undefined;
}

/**
 * Answers a request with server-sent events, one for each value of an async iterable.
 *
 * The client gets the head of the response at once, and a comment whenever there was no event for `heartbeatMs`. Events
 * are made only as fast as the client reads.
 *
 * The signal aborts when the client leaves or the server stops. The stream then ends, and `finally` runs in the
 * generator. A generator that waits for something else runs it when that is there: have it wait for the signal, too.
 *
 * An error of the generator breaks the response off, so that the client connects again.
 *
 * @param open makes the events, such as an `async function*`. `HEAD` does not call it.
 * @throws {TypeError} when it is given no function, or an option is wrong.
 * @example
 * ```ts
 * import { setTimeout } from "node:timers/promises";
 * import { eventStream } from "fingerpost/native/content";
 *
 * class Clock extends Resource {
 *   paths = ["/clock"] as const;
 *
 *   GET(request: Request): Response {
 *     return eventStream(request, async function* (signal) {
 *       while (!signal.aborted) {
 *         yield { event: "tick", data: { at: Date.now() } };
 *         await setTimeout(1_000, undefined, { signal });
 *       }
 *     });
 *   }
 * }
 * ```
 */
export function eventStream(
  request: Request,
  open: (signal: AbortSignal) => AsyncIterable<SentEvent>,
  options: EventStreamOptions = {},
): Response {
  const check = new OptionCheck<EventStreamOptions>("eventStream", options, eventStreamOptions);
  checkEventStreamOptions(check);
  if (typeof open !== "function") {
    throw new TypeError(
      "Cannot answer with events: expected a function that makes them, such as async function* (signal) { … }, got " +
        `${described(open)}`,
    );
  }
  if (request.method === "HEAD") return new Response(null, { headers: eventStreamFields });
  const leaving = new AnySignal().follow(request.signal).follow(stoppingSignalFor(request));
  const [asked, follows] = [request.signal, followsOf(request)];
  const stream = eventStreamOf(() => open(leaving.signal), textOf, leaving, check.options, asked, follows);
  return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, { headers: eventStreamFields });
}

function textOf(sent: SentEvent): string {
  if (typeof sent !== "object" || sent === null) {
    throw new TypeError(`Cannot send an event: expected an object such as { data: … }, got ${described(sent)}`);
  }
  const [data, id, event] = [propertyOf(sent, "data"), propertyOf(sent, "id"), propertyOf(sent, "event")];
  const text = typeof data === "string" ? data : (JSON.stringify(data) as string | undefined);
  if (text === undefined && data !== undefined) {
    throw new TypeError(`Cannot send an event: expected data that JSON can write, got ${described(data)}`);
  }
  return eventText({ data: text, id, event });
}
