import type { Follow } from "../dispatch/followed-end.ts";
import { byteLengthOf } from "../http/javascript/byte-length.ts";
import { capturedContext } from "../http/javascript/captured-context.ts";
import { endAt } from "../http/javascript/end-at.ts";
import { measuring } from "../http/javascript/measuring.ts";
import { isThenable } from "../http/javascript/thenable.ts";
import { closeReason, isCloseCode } from "./close-frame.ts";
import { ConnectedPeer, type PeerLine } from "./connected-peer.ts";
import { isLonger, refuseLong } from "./message-length.ts";
import type { MessageFormat, ReadMessage } from "./messages.ts";
import type { InvalidMember, Peer, PeerHandlers } from "./peer.ts";
import { endHeartbeat, startHeartbeat, type HeartbeatConnection } from "./heartbeat.ts";
import { checkTopic, reached, sent, stops, type Topics } from "./topics.ts";
import type { Published, Wire, WireListener } from "./wire.ts";

/** The decisions about a connection before it opens. */
export interface ConnectionOptions {
  readonly handlers: PeerHandlers<unknown, unknown>;
  readonly receives: MessageFormat;
  readonly sends: MessageFormat;
  readonly topics: Topics;
  /** The longest message that is taken, in bytes. */
  readonly maxBytes: number;
  /** The most messages that are taken in a second. */
  readonly maxMessagesPerSecond: number;
  /** The subprotocol; an empty string for none. */
  readonly protocol: string;
  /** The time at which the connection is closed with 1008, in milliseconds; null for none. */
  readonly until: number | null;
  readonly onError: (error: unknown) => void;
  /** The ends that end the connection, too. Default: none. */
  readonly follows?: readonly Follow[] | undefined;
}

/** Messages that wait before reading stops; where the runtime cannot stop, more of them end the connection. */
const mostQueued = 64;
const mostUnstoppable = 1_000;
/** Bytes that wait for a client before it is asked to wait, and before it is given up. */
const fullBytes = 65_536;
const mostWaiting = 1_048_576;
/** A connection whose client does not answer a close frame is cut after this time. */
const closeMs = 5_000;
/** A connection that its server has not opened after this time follows nothing, and is closed when it opens. */
const openMs = 30_000;

/** The attributes of messages that are measured. */
const received = { "network.io.direction": "receive" };

/** One WebSocket: takes the events of its runtime, and calls its handlers in order. */
export class Connection implements WireListener, HeartbeatConnection, PeerLine {
  readonly peer: Peer<unknown>;
  missed = 0;
  /** Fulfills when all that has come so far is handled; null before something has come. */
  handled: Promise<void> | null = null;
  readonly #options: ConnectionOptions;
  /** Handlers have the context of the handshake. */
  readonly #within = capturedContext();
  #wire: Wire | null = null;
  #state: "opening" | "open" | "closing" | "over" = "opening";
  readonly #queue: (string | Uint8Array<ArrayBuffer>)[] = [];
  #end: { readonly code: number; readonly reason: string } | null = null;
  /** What this side closed with. */
  #own: { readonly code: number; readonly reason: string } | null = null;
  #isWorking = false;
  isPaused = false;
  #isFailed = false;
  #second = 0;
  #taken = 0;
  #controller: AbortController | null = null;
  #topics: Set<string> | null = null;
  #waiting: (() => void)[] | null = null;
  /** The bytes of the longest message that may still wait. */
  #longest = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #until: (() => void) | null = null;
  #unfollow: readonly (() => void)[] | null = null;
  #isOutlived = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.peer = new ConnectedPeer(this, options.protocol);
    const { follows = [] } = options;
    if (follows.length === 0) return;
    // From now on: what ends before the connection is open must end it, too.
    this.#unfollow = follows.map((follow) => follow(() => reached(() => this.#outlived())));
    this.#timer = this.#after(openMs, () => {
      this.#isOutlived = true;
      this.#endFollowing();
    });
  }

  #outlived(): void {
    this.#isOutlived = true;
    this.close(1008, "The session is over");
  }

  #endFollowing(): void {
    for (const end of this.#unfollow ?? []) end();
  }

  opened(wire: Wire): void {
    const { topics, until, handlers } = this.#options;
    this.#wire = wire;
    this.#state = "open";
    measuring.measure?.("fingerpost.sockets.active", 1);
    topics.opened(this);
    clearTimeout(this.#timer);
    if (this.#isOutlived) return this.#outlived();
    if (topics.isStopping) return this.leave();
    if (wire.ping !== undefined) startHeartbeat(this);
    if (until !== null) this.#until = endAt(until, () => this.close(1008, "The time is over"));
    if (handlers.open === undefined) return;
    this.#isWorking = true;
    this.handled = this.#within(() => this.#opening());
  }

  async #opening(): Promise<void> {
    try {
      await this.#options.handlers.open!(this.peer);
    } catch (error) {
      this.#fail(error);
    }
    this.#isWorking = false;
    await this.#work();
  }

  /** @param atMs when the message came, where it had to wait. */
  received(data: string | Uint8Array<ArrayBuffer>, atMs: number = Date.now()): void {
    if (this.#state !== "open") return;
    measuring.measure?.("fingerpost.sockets.messages", 1, received);
    // On Workers it could not be closed from where that was told.
    if (this.#isOutlived) return this.#outlived();
    const { maxBytes, maxMessagesPerSecond, receives, topics } = this.#options;
    if (topics.isStopping) return this.leave();
    const second = Math.floor(atMs / 1_000);
    if (second !== this.#second) [this.#second, this.#taken] = [second, 0];
    if (++this.#taken > maxMessagesPerSecond)
      return this.close(1008, `More than ${maxMessagesPerSecond} messages a second`);
    if (isLonger(data, maxBytes)) return this.close(1009, `A message has more than ${maxBytes} bytes`);
    const isBinary = typeof data !== "string";
    if (receives.isBinary !== null && receives.isBinary !== isBinary) {
      return this.close(1003, receives.isBinary ? "Messages are binary" : "Messages are text");
    }
    this.#queue.push(data);
    if (!this.#isWorking) this.handled = this.#within(() => this.#work());
    if (this.#queue.length < mostQueued) return;
    const wire = this.#wire!;
    if (wire.pause !== undefined) {
      this.isPaused = true;
      wire.pause();
    } else if (this.#queue.length > mostUnstoppable) this.close(1008, "Messages come faster than they are handled");
  }

  drained(): void {
    if (this.#wire!.waiting < fullBytes) this.#release();
  }

  alive(): void {
    this.missed = 0;
  }

  ping(): void {
    this.#wire!.ping!();
  }

  gone(): void {
    this.cut();
  }

  leave(reason: string = stops): void {
    this.close(1001, reason);
  }

  closed(code: number, reason: string): void {
    if (this.#state === "over") return;
    if (this.#wire !== null) measuring.measure?.("fingerpost.sockets.active", -1);
    this.#state = "over";
    // Bun does not say what a client answers to a close frame, and no code but these can come in one.
    const isTold = isCloseCode(code) || code === 1005;
    this.#end = this.#own ?? (isTold ? { code, reason } : { code: 1006, reason: "" });
    endHeartbeat(this);
    clearTimeout(this.#timer);
    this.#until?.();
    this.#endFollowing();
    const { topics } = this.#options;
    topics.closed(this);
    for (const topic of this.#topics ?? []) topics.delete(topic, this);
    this.#release();
    this.#within(() => {
      this.#controller?.abort();
      if (!this.#isWorking) this.handled = this.#work();
    });
  }

  /** Handles what has come, in order, and at last the end. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    // What came before the client's close frame is handled; after a close frame of ours nothing is.
    while (this.#queue.length > 0 && this.#state !== "closing" && !this.#isFailed) {
      try {
        const handled = this.#handle(this.#queue.shift()!);
        // Without a Promise, a thousand messages take no turn of the event loop each.
        if (handled !== undefined) await handled;
      } catch (error) {
        this.#fail(error);
      }
      if (this.isPaused && this.#queue.length === 0 && this.#state === "open") {
        this.isPaused = false;
        this.#wire!.resume!();
      }
    }
    if (this.#state === "over" && this.#end !== null) {
      const { code, reason } = this.#end;
      this.#end = null;
      try {
        await this.#options.handlers.close?.(this.peer, code, reason);
      } catch (error) {
        this.#options.onError(error);
      }
    }
    this.#isWorking = false;
  }

  #handle(data: string | Uint8Array<ArrayBuffer>): Promise<void> | undefined {
    const message = this.#options.receives.read(data);
    if (isThenable(message)) return this.#handleLater(message as Promise<ReadMessage>);
    const handled = this.#told(message as ReadMessage);
    return isThenable(handled) ? (handled as Promise<void>) : undefined;
  }

  async #handleLater(message: Promise<ReadMessage>): Promise<void> {
    await this.#told(await message);
  }

  #told(message: ReadMessage): unknown {
    const { handlers } = this.#options;
    if ("value" in message) return handlers.message?.(this.peer, message.value);
    if (handlers.invalid !== undefined) return handlers.invalid(this.peer, message.errors);
    const [{ pointer, detail } = noError] = message.errors;
    this.close(1008, `${pointer}: ${detail}`);
    return undefined;
  }

  /** An error of a handler ends the connection, and is told once. */
  #fail(error: unknown): void {
    this.#isFailed = true;
    this.#options.onError(error);
    this.close(1011, "");
  }

  send(message: unknown): boolean {
    const data = this.#options.sends.write(message);
    refuseLong(data);
    return this.sendWritten(data);
  }

  sendWritten(data: string | Uint8Array, published?: Published): boolean {
    if (this.#state !== "open") return false;
    const wire = this.#wire!;
    const before = wire.waiting;
    if (!this.#isRead(before)) return false;
    wire.send(data, published);
    measuring.measure?.("fingerpost.sockets.messages", 1, sent);
    const { waiting } = wire;
    this.#longest = Math.max(this.#longest, waiting - before);
    return waiting < fullBytes;
  }

  weigh(data: string | Uint8Array): void {
    if (this.#state !== "open") return;
    const length = typeof data === "string" ? byteLengthOf(data) : data.length;
    this.#longest = Math.max(this.#longest, length);
    this.#isRead(this.#wire!.waiting);
  }

  /** Returns whether the client reads what waits for it. One that does not is given up. */
  #isRead(waiting: number): boolean {
    if (waiting < fullBytes) this.#longest = 0;
    // No client can have read a long message in the turn in which it was sent.
    if (waiting - this.#longest <= mostWaiting) return true;
    this.close(1013, "The client does not read");
    // A client that does not read gets no close frame either, so the connection is cut.
    this.#wire!.cut();
    return false;
  }

  async waited(): Promise<void> {
    const wire = this.#wire;
    if (this.#state !== "open" || wire === null || wire.waiting === 0) return;
    await new Promise<void>((resolve) => (this.#waiting ??= []).push(resolve));
  }

  #release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const resolve of waiting) resolve();
  }

  get wire(): Wire | null {
    return this.#wire;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#state === "over") this.#controller.abort();
    }
    return this.#controller.signal;
  }

  subscribe(topic: string): void {
    checkTopic(topic);
    if (this.#state === "over") return;
    this.#options.topics.add(topic, this);
    (this.#topics ??= new Set()).add(topic);
  }

  unsubscribe(topic: string): void {
    this.#options.topics.delete(topic, this);
    this.#topics?.delete(topic);
  }

  publish(topic: string, message: unknown): void {
    checkTopic(topic);
    this.#options.topics.publish(topic, this.#options.sends.write(message), this);
  }

  close(code: number, reason: string): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    const wire = this.#wire!;
    try {
      const own = { code, reason: closeReason(reason) };
      if (wire.close(own.code, own.reason) !== false) this.#own = own;
    } catch (error) {
      // On Workers nobody but its own object or request may do that.
      this.#state = "open";
      throw error;
    }
    this.#queue.length = 0;
    this.#timer = this.#after(closeMs, () => wire.cut());
  }

  /** Ends the connection without a word. */
  cut(): void {
    this.#wire?.cut();
  }

  #after(ms: number, act: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(act, ms);
    // Only Node has timers that would keep the process.
    (timer as { unref?: () => void }).unref?.();
    return timer;
  }
}

const noError: InvalidMember = { pointer: "#", detail: "Does not fit the schema" };
