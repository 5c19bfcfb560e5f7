import { isSignal } from "../http/javascript/any-realm.ts";
import { AnySignal } from "../http/javascript/any-signal.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { described } from "../http/javascript/described.ts";
import { event as eventOf, type EventOptions, type ServerSentEvent } from "../http/message/server-sent-event.ts";

/** The options of an `Inbox`. */
export interface InboxOptions {
  /** How many events it holds, the latest: what a client that is slow, or was away, can still get. Default: 1,000. */
  readonly maxEvents?: number | undefined;
  /**
   * The treatment of a listener that is too slow. `"skip"` leaves out the oldest events. `"end"` ends the listener: its
   * client connects again, and asks for what it missed. Default: `"skip"`.
   */
  readonly whenBehind?: "skip" | "end" | undefined;
}

/** The options of `listen()`. */
export interface ListenOptions {
  /**
   * The id of the last event that the client has: it gets first what came since. Everything in the inbox, if it does
   * not hold that event any more. Default: only what comes from now on.
   */
  readonly after?: string | undefined;
}

/**
 * A bounded queue of events, which many listeners read, each at its own pace.
 *
 * It holds the latest events once, however many listeners there are: a slow client costs no memory. An event without an
 * id gets one, so that a client that was away gets what it missed.
 *
 * @example
 * ```ts
 * import { Inbox, lastEventIdOf } from "fingerpost/events";
 * import { eventStream } from "fingerpost/native/content";
 *
 * const prices = new Inbox<{ cents: number }>();
 *
 * class Prices extends Resource {
 *   paths = ["/prices"] as const;
 *
 *   GET(request: Request): Response {
 *     return eventStream(request, (signal) => prices.listen(signal, { after: lastEventIdOf(request) }));
 *   }
 * }
 *
 * prices.send({ cents: 1_500 });
 * ```
 */
export class Inbox<Data> {
  readonly #held: ServerSentEvent<Data>[] = [];
  readonly #maxEvents: number;
  readonly #endsSlow: boolean;
  readonly #waiting = new Set<() => void>();
  /** How many events were sent. Event number n is held at n modulo `maxEvents`. */
  #sent = 0;
  #listeners = 0;
  #isEnded = false;
  #name: string | undefined;

  /** @throws {TypeError} when an option cannot be meant. */
  constructor(options: InboxOptions = {}) {
    const check = new OptionCheck<InboxOptions>("Inbox", options, ["maxEvents", "whenBehind"]);
    const { maxEvents = 1_000, whenBehind = "skip" } = check.options;
    check.positive("maxEvents");
    check.require(whenBehind === "skip" || whenBehind === "end", "whenBehind", '"skip" or "end"');
    this.#maxEvents = maxEvents;
    this.#endsSlow = whenBehind === "end";
  }

  /** How many listeners are being read. */
  get listeners(): number {
    return this.#listeners;
  }

  /**
   * Sends an event to all listeners.
   *
   * @throws {TypeError} when the id or the type is not a string or holds a line break or NUL, for an unknown option, or
   * after `end()`.
   */
  send(data: Data, options: EventOptions = {}): void {
    if (this.#isEnded) throw new TypeError("Cannot send an event: the inbox was ended");
    const { id = this.#nextId(), event } = new OptionCheck<EventOptions>("send", options, ["id", "event"]).options;
    this.#held[this.#sent % this.#maxEvents] = eventOf(data, { id, event });
    this.#sent++;
    this.#wakeAll();
  }

  /** Ends all listeners once they have read what is held. */
  end(): void {
    this.#isEnded = true;
    this.#wakeAll();
  }

  /**
   * Reads the events, until the signal aborts.
   *
   * It begins with what is sent after this call. With `after`, it begins with the kept events that follow that id.
   *
   * @throws {TypeError} when it is given something else than a signal, or an option that does not exist.
   */
  listen(signal?: AbortSignal, options: ListenOptions = {}): AsyncGenerator<ServerSentEvent<Data>, void, undefined> {
    if (signal !== undefined && !isSignal(signal)) {
      throw new TypeError(`Cannot listen to the inbox: expected an AbortSignal, got ${described(signal)}`);
    }
    const { after } = new OptionCheck<ListenOptions>("listen", options, ["after"]).options;
    return this.#read(after === undefined ? this.#sent : this.#after(after), signal);
  }

  async *#read(from: number, signal: AbortSignal | undefined): AsyncGenerator<ServerSentEvent<Data>, void, undefined> {
    let wake: (() => void) | undefined;
    const act = (): void => wake?.();
    // A signal may be of many listeners, and gets one from all of them.
    const leaving = new AnySignal().follow(signal);
    const hasLeft = (): boolean => leaving.signal.aborted;
    leaving.signal.addEventListener("abort", act);
    this.#listeners++;
    try {
      for (let at = from; !hasLeft(); at++) {
        if (at < this.#oldest) {
          if (this.#endsSlow) return;
          at = this.#oldest;
        }
        while (at === this.#sent) {
          if (this.#isEnded || hasLeft()) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
            this.#waiting.add(act);
          });
        }
        yield this.#held[at % this.#maxEvents]!;
      }
    } finally {
      this.#listeners--;
      this.#waiting.delete(act);
      leaving.release();
    }
  }

  get #oldest(): number {
    return Math.max(0, this.#sent - this.#maxEvents);
  }

  #after(id: string): number {
    for (let at = this.#sent; at > this.#oldest; at--) {
      if (this.#held[(at - 1) % this.#maxEvents]!.id === id) return at;
    }
    return this.#oldest;
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  // Not by the constructor: Workers have no random numbers before the first request.
  #nextId(): string {
    this.#name ??= crypto.randomUUID().slice(0, 8);
    return `${this.#name}-${this.#sent}`;
  }
}

/**
 * Returns the id of the last event that a client has got, which it sends when it connects again.
 *
 * @returns what `Last-Event-ID` says; `undefined` where the client has got none, or it is not UTF-8.
 * @example
 * ```ts
 * import { lastEventIdOf } from "fingerpost/events";
 *
 * const request = new Request("http://localhost/prices", { headers: { "Last-Event-ID": "7" } });
 * console.log(lastEventIdOf(request)); // 7
 * ```
 */
export function lastEventIdOf({ headers }: Pick<Request, "headers">): string | undefined {
  const value = headers.get("last-event-id");
  if (value === null || value === "") return undefined;
  // HTML §9.2.3: it is UTF-8; and a field is bytes to a runtime, a character each.
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
