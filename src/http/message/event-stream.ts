import { isSignal } from "../javascript/any-realm.ts";
import { capturedContext } from "../javascript/captured-context.ts";
import { isAsyncIterable } from "../javascript/async-iterable.ts";
import { described } from "../javascript/described.ts";
import { openedStream } from "../javascript/measuring.ts";
import { longestTimerMs, type OptionCheck } from "../javascript/option-check.ts";
import { ownOf } from "../javascript/property.ts";
import type { AnySignal } from "../javascript/any-signal.ts";

/** Options of a stream of events. */
export interface EventStreamOptions {
  /**
   * Milliseconds without an event after which a comment is sent, so that proxies keep the connection open. Default:
   * 15,000.
   */
  readonly heartbeatMs?: number | undefined;
  /**
   * Minimum time before a client reconnects, in milliseconds. Each client gets its own time, up to twice as long, so
   * that they do not all reconnect at once. Default: 2,000.
   */
  readonly retryMs?: number | undefined;
  /**
   * Milliseconds that a stream may go on after the server begins to stop, to send its last events. The signal of the
   * handler aborts at once. Default: 0. `serve()` closes connections after its own `graceMs`.
   */
  readonly graceMs?: number | undefined;
  /** Ends the streams when it aborts. `serve()` of Node needs none: its streams end when it stops. */
  readonly signal?: AbortSignal | undefined;
}

/** The names of the options, which what takes them checks. */
export const eventStreamOptions = ["heartbeatMs", "retryMs", "graceMs", "signal"] as const;

/** @throws {TypeError} when an option cannot be meant. */
export function checkEventStreamOptions(check: OptionCheck<EventStreamOptions>): void {
  const { signal } = check.options;
  check.positive("heartbeatMs");
  check.count("retryMs", "graceMs");
  check.require(signal === undefined || isSignal(signal), "signal", "an AbortSignal");
}

/** The fields of a stream of events: neither caches nor proxies may keep or hold back what comes. */
export const eventStreamFields = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
} as const;

/**
 * Makes the content of an event stream: a time to wait first, then what `write` makes of each value, and comments
 * between them.
 *
 * It is read as fast as the client reads. The iterator is asked for the first value once the stream is read. It is left
 * when the client leaves, or `leaving` aborts: then the stream ends, at once or after `graceMs`, whatever the iterator
 * waits for.
 *
 * @param open makes what is iterated; it is not called for a stream that nobody reads.
 * @param follows what ends the stream at once when it ends itself, such as the session of the request.
 */
export function eventStreamOf<Value>(
  open: () => AsyncIterable<Value>,
  write: (value: Value) => string | Promise<string>,
  leaving: AnySignal,
  { heartbeatMs = 15_000, retryMs = 2_000, graceMs = 0, signal }: EventStreamOptions,
  client: AbortSignal | null | undefined,
  follows: readonly ((end: () => void) => () => void)[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const delayMs = Math.min(heartbeatMs, longestTimerMs);
  const within = capturedContext();
  let values: Values<Value> | null = null;
  let isOver = false;
  let close: (() => void) | null = null;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let stream: ReadableStreamDefaultController<Uint8Array>;
  let unfollow: readonly (() => void)[] = [];
  const finish = (): void => {
    isOver = true;
    close?.();
    clearTimeout(grace);
    leaving.release();
    for (const stop of unfollow) stop();
  };
  const leave = async (): Promise<void> => {
    finish();
    await within(() => values?.leave());
  };
  // Nobody is there any more to be told of what fails now.
  const leaveUnheard = (): void => void leave().catch(() => {});
  const end = (): void => {
    if (isOver) return;
    stream.close();
    leaveUnheard();
  };

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    if (values === null) {
      leaving.follow(signal);
      // The signal has aborted.
      if (isOver) return;
      const endAtOnce = (): void => {
        leaving.abort();
        end();
      };
      unfollow = follows.map((follow) => follow(endAtOnce));
      values = new Values(open());
      close = openedStream();
      const retry = retryMs + Math.floor(Math.random() * (retryMs + 1));
      return controller.enqueue(encoder.encode(`retry: ${retry}\n\n`));
    }
    try {
      const next = await values.next(delayMs);
      if (isOver) return;
      if (next === null) return controller.enqueue(encoder.encode(":\n\n"));
      if (next.done === true) {
        finish();
        return controller.close();
      }
      const text = await write(next.value);
      if (!isOver) controller.enqueue(encoder.encode(text));
    } catch (error) {
      if (isOver) return;
      leaveUnheard();
      throw error;
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream = controller;
        const stop = (): void => {
          if (graceMs === 0 || client?.aborted === true || values === null) return end();
          grace = setTimeout(end, Math.min(graceMs, longestTimerMs));
          client?.addEventListener("abort", end, ownOf({ once: true }));
        };
        if (leaving.signal.aborted) end();
        else leaving.signal.addEventListener("abort", stop);
      },
      pull: (controller) => within(() => pull(controller)),
      cancel: (reason) =>
        within(() => {
          isOver = true;
          leaving.abort(reason);
          return leave();
        }),
    },
    { highWaterMark: 0 },
  );
}

/** The values of an iterable, for which one waits a while only. */
class Values<Value> {
  readonly #iterator: AsyncIterator<Value>;
  #outcome: (() => IteratorResult<Value>) | null = null;
  #isAsked = false;
  #wake = (): void => {};

  constructor(values: AsyncIterable<Value>) {
    if (!isAsyncIterable(values)) {
      throw new TypeError(`Cannot send events: expected an async iterable, got ${described(values)}`);
    }
    this.#iterator = values[Symbol.asyncIterator]();
  }

  /** The next value, or null if it is not there in time: then it is the next one the next time. */
  async next(delayMs: number): Promise<IteratorResult<Value> | null> {
    if (!this.#isAsked) this.#ask();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#outcome !== null) this.#wake();
    });
    const outcome = this.#outcome;
    if (outcome === null) return null;
    this.#outcome = null;
    this.#isAsked = false;
    return outcome();
  }

  /** Runs `finally`: at once, or when the iterator gets the value that it waits for. */
  async leave(): Promise<void> {
    this.#wake();
    await this.#iterator.return?.();
  }

  // Each wait is for the same answer: a race with a timer would leave something on its Promise each time.
  #ask(): void {
    this.#isAsked = true;
    const settle = (outcome: () => IteratorResult<Value>): void => {
      this.#outcome = outcome;
      this.#wake();
    };
    this.#iterator.next().then(
      (result) => settle(() => result),
      (error: unknown) =>
        settle(() => {
          throw error;
        }),
    );
  }
}
