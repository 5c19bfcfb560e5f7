import { isSignal } from "../http/javascript/any-realm.ts";
import { AnySignal } from "../http/javascript/any-signal.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { described } from "../http/javascript/described.ts";
import { event as eventOf, type EventOptions, type ServerSentEvent } from "../http/message/server-sent-event.ts";

/** The options of an `Inbox`. */
export interface InboxOptions {
  /**
   * Maximum number of events that the inbox holds, the latest, for clients that are slow or were away. Default: 1,000.
   */
  readonly maxEvents?: number | undefined;
  /**
   * The treatment of a listener that is too slow. `"skip"` leaves out the oldest events. `"end"` ends the listener: its
   * client connects again, and asks for what it missed. Default: `"skip"`.
   */
  readonly whenBehind?: "skip" | "end" | undefined;
}

/** Options of `listen()`. */
export interface ListenOptions {
  /**
   * The id of the last event that the client has: it gets first what came since. Everything in the inbox, if it does
   * not hold that event any more. Default: only what comes from now on.
   */
  readonly after?: string | undefined;
  /** The topic whose events it gets. Default: the events of all topics. */
  readonly topic?: string | undefined;
}

/** Options of `send()`. */
export interface InboxSendOptions extends EventOptions {
  /** The topic that the event belongs to. Its listeners get it, and the listeners of all topics. Default: none. */
  readonly topic?: string | undefined;
}

/** An event in an inbox. */
interface Held<Data> {
  readonly event: ServerSentEvent<Data>;
  readonly topic: string | undefined;
  /** How many events were sent before the last one of the same topic; -1 where nobody can miss one. */
  readonly previous: number;
}

/**
 * A bounded queue of events, which many listeners read, each at its own pace.
 *
 * It holds the latest events once, however many listeners there are: a slow client costs no memory. An event without an
 * id gets one, so that a client that was away gets what it missed. One inbox serves many topics, such as the orders of
 * each shop: an event wakes only the listeners of its topic.
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
  readonly #held: Held<Data>[] = [];
  readonly #maxEvents: number;
  readonly #endsSlow: boolean;
  /** By topic: the listeners that wait. */
  readonly #waiting = new Map<string | undefined, Set<() => void>>();
  /** By topic that has listeners: how many they are, and the number of its latest event. */
  readonly #topics = new Map<string, { listeners: number; latest: number }>();
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
   * Sends an event to the listeners of its topic, and to the listeners of all topics.
   *
   * @throws {TypeError} when the id, the type or the topic is not a string, or the id or the type holds a line break or
   * NUL.
   * @throws {TypeError} for an unknown option, or after `end()`.
   */
  send(data: Data, options: InboxSendOptions = {}): void {
    if (this.#isEnded) throw new TypeError("Cannot send an event: the inbox was ended");
    const check = new OptionCheck<InboxSendOptions>("send", options, ["id", "event", "topic"]);
    const { id = this.#nextId(), event, topic } = check.options;
    check.require(topic === undefined || typeof topic === "string", "topic", "a string");
    const listened = topic === undefined ? undefined : this.#topics.get(topic);
    const previous = listened?.latest ?? -1;
    this.#held[this.#sent % this.#maxEvents] = { event: eventOf(data, { id, event }), topic, previous };
    if (listened !== undefined) listened.latest = this.#sent;
    this.#sent++;
    this.#wake(undefined);
    if (topic !== undefined) this.#wake(topic);
  }

  /** Ends all listeners once they have read what is held. */
  end(): void {
    this.#isEnded = true;
    for (const topic of this.#waiting.keys()) this.#wake(topic);
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
    const check = new OptionCheck<ListenOptions>("listen", options, ["after", "topic"]);
    const { after, topic } = check.options;
    check.require(topic === undefined || typeof topic === "string", "topic", "a string");
    return this.#read(after === undefined ? this.#sent : this.#after(after), topic, signal);
  }

  async *#read(
    from: number,
    topic: string | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ServerSentEvent<Data>, void, undefined> {
    let wake: (() => void) | undefined;
    const act = (): void => wake?.();
    // A signal may be of many listeners, and gets one from all of them.
    const leaving = new AnySignal().follow(signal);
    const hasLeft = (): boolean => leaving.signal.aborted;
    leaving.signal.addEventListener("abort", act);
    this.#join(topic);
    /** Before this number, `previous` of events is unknown. */
    const joined = this.#sent;
    /** The number of the last event that it got, or did not want. */
    let last = from - 1;
    try {
      for (let at = from; !hasLeft(); at++) {
        if (at < this.#oldest) {
          if (this.#endsSlow && (topic === undefined || at < joined)) return;
          at = this.#oldest;
        }
        while (at === this.#sent) {
          if (this.#isEnded || hasLeft()) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
            this.#waitersOf(topic).add(act);
          });
        }
        const held = this.#held[at % this.#maxEvents]!;
        if (topic === undefined) yield held.event;
        else if (held.topic === topic) {
          if (this.#endsSlow && held.previous > last) return;
          last = at;
          yield held.event;
        }
      }
    } finally {
      this.#leave(topic, act);
      leaving.release();
    }
  }

  #join(topic: string | undefined): void {
    this.#listeners++;
    if (topic === undefined) return;
    const listened = this.#topics.get(topic) ?? { listeners: 0, latest: -1 };
    listened.listeners++;
    this.#topics.set(topic, listened);
  }

  #leave(topic: string | undefined, act: () => void): void {
    this.#listeners--;
    const waiting = this.#waiting.get(topic);
    waiting?.delete(act);
    if (waiting?.size === 0) this.#waiting.delete(topic);
    if (topic === undefined) return;
    const listened = this.#topics.get(topic)!;
    listened.listeners--;
    // A topic without listeners costs nothing.
    if (listened.listeners === 0) this.#topics.delete(topic);
  }

  #waitersOf(topic: string | undefined): Set<() => void> {
    const waiting = this.#waiting.get(topic) ?? new Set();
    this.#waiting.set(topic, waiting);
    return waiting;
  }

  get #oldest(): number {
    return Math.max(0, this.#sent - this.#maxEvents);
  }

  #after(id: string): number {
    for (let at = this.#sent; at > this.#oldest; at--) {
      if (this.#held[(at - 1) % this.#maxEvents]!.event.id === id) return at;
    }
    return this.#oldest;
  }

  #wake(topic: string | undefined): void {
    const waiting = this.#waiting.get(topic);
    this.#waiting.delete(topic);
    for (const wake of waiting ?? []) wake();
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
