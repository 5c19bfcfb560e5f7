import type { Bytes } from "../http/javascript/bytes.ts";
import { checkCloseCode, closeReason } from "./close-frame.ts";

/**
 * The end of a WebSocket that a client has. It is an async iterator of the messages that the server sends.
 *
 * The loop ends when the connection closes with 1000, or without a code. Another code is thrown as a `SocketError`.
 * Leaving the loop closes the connection.
 *
 * @typeParam Received the messages that the server sends.
 * @typeParam Sent the messages that the server takes.
 * @typeParam Text the directions whose messages are `text()`.
 */
export interface ClientSocket<Received = unknown, Sent = unknown, Text = unknown> extends AsyncIterator<
  Received,
  undefined,
  undefined
> {
  /** Returns the socket itself, whose messages a loop reads. */
  [Symbol.asyncIterator](): ClientSocket<Received, Sent, Text>;
  /** Does not exist at run time: `connect()` asks for the option `text` by it. */
  readonly "~text"?: Text | undefined;
  /** The subprotocol that both sides agreed on; an empty string for none. */
  readonly protocol: string;
  /** Fulfills at the end of the connection, with the code and the reason of the close frame. Never rejects. */
  readonly closed: Promise<SocketClose>;
  /**
   * Sends a message. Returns whether more may follow at once; if not, wait for `drained()`.
   *
   * While the client reconnects, messages wait, and are sent then. After the end nothing is sent.
   *
   * @throws {RangeError} when 1 MiB waits for a new connection.
   */
  send(message: Sent): boolean;
  /** Fulfills when there is room for more, or the connection is over. */
  drained(): Promise<void>;
  /**
   * Closes the connection after what was sent. Default: 1000. Messages that have come can still be read.
   *
   * @param reason at most 123 bytes; what is longer is cut.
   * @throws {RangeError} when the code is neither 1000 nor from 3000 to 4999.
   */
  close(code?: number, reason?: string): void;
}

/** The content of a close frame. The code is 1006 where the connection broke off, and 1005 where the frame has none. */
export interface SocketClose {
  /** The status code (RFC 6455 §7.4). */
  readonly code: number;
  /** The reason; an empty string for none. */
  readonly reason: string;
}

/**
 * A WebSocket that closed with another code than 1000. The loop over its messages throws it.
 *
 * @example
 * ```ts
 * class Clock extends Resource {
 *   paths = ["/clock"] as const;
 *
 *   static GET = { 101: socket({ receives: text(), sends: text() }) };
 *   GET(): Answer<typeof Clock, "GET"> {
 *     return reply(101, { open: (peer) => peer.close(4000, "It is late") });
 *   }
 * }
 * const app = Application.builder().resources(Clock).build();
 * const clock = await app.connect<typeof Clock>("/clock");
 * await clock.next().catch(({ code, reason }) => {
 *   console.log(code, reason); // 4000 It is late
 * });
 * ```
 */
export class SocketError extends Error {
  /** The status code of the close frame; 1006 where the connection broke off. */
  declare readonly code: number;
  /** The reason that the other side gave; an empty string for none. */
  declare readonly reason: string;

  constructor(name: string, { code, reason }: SocketClose, cause?: unknown) {
    super(`${name} was closed with ${code}: ${reason === "" ? "No reason" : reason}`, { cause });
    this.name = "SocketError";
    this.code = code;
    this.reason = reason;
  }
}

/** What carries the messages of a client: a WebSocket of the platform, or a line in memory. */
export interface ClientLine {
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  close(code: number, reason: string): void;
}

/** The decisions about the end of a client before it is connected. */
export interface EndOptions {
  /** Method and path pattern, or the path, for messages. */
  readonly name: string;
  readonly read: (data: string | Bytes) => unknown;
  readonly write: (message: unknown) => string | Uint8Array;
  /** How many characters or bytes of messages may wait for the loop. */
  readonly maxWaitingBytes: number;
}

/** Bytes that wait for the network before the program is asked to wait, and between connections at most. */
const fullBytes = 65_536;
const mostUnsent = 1_048_576;
const drainMs = 20;

/** The messages and the state of a client, over one connection or several. */
export class SocketEnd implements ClientSocket {
  declare readonly "~text"?: unknown;
  readonly closed: Promise<SocketClose>;
  protocol = "";
  /** Aborts when the client wants no connection any more. */
  readonly leaving: AbortController = new AbortController();
  readonly #options: EndOptions;
  #line: ClientLine | null = null;
  #isClosed!: (close: SocketClose) => void;
  /** The error that the loop throws, once. */
  #error: { readonly thrown: unknown } | null = null;
  #isOver = false;
  readonly #messages: { readonly value: unknown; readonly length: number }[] = [];
  #waiting = 0;
  readonly #readers: { resolve(result: IteratorResult<unknown, undefined>): void; reject(error: unknown): void }[] = [];
  readonly #unsent: (string | Uint8Array)[] = [];
  #unsentLength = 0;

  constructor(options: EndOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => (this.#isClosed = resolve));
  }

  /** Takes a line. The function sends first, before what waited. */
  connected(line: ClientLine, protocol: string, opened?: () => void): void {
    const unsent = this.#unsent.splice(0);
    this.#unsentLength = 0;
    this.#line = line;
    this.protocol = protocol;
    opened?.();
    for (const data of unsent) line.send(data);
  }

  /** The line is gone, and another one will be there. */
  disconnected(): void {
    this.#line = null;
  }

  received(data: string | Bytes): void {
    if (this.#isOver) return;
    const { read, maxWaitingBytes, name } = this.#options;
    let value: unknown;
    try {
      value = read(data);
    } catch (error) {
      return this.#leave(1000, "", error);
    }
    const reader = this.#readers.shift();
    if (reader !== undefined) return reader.resolve({ value, done: false });
    this.#messages.push({ value, length: data.length });
    this.#waiting += data.length;
    if (this.#waiting <= maxWaitingBytes) return;
    this.#leave(
      4013,
      "The client does not read",
      new RangeError(
        `Cannot keep messages of ${name}: more than ${maxWaitingBytes} characters or bytes wait for the loop`,
      ),
    );
  }

  /** The connection is over for good. The error, if any, is thrown instead of the one that the code says. */
  ended(close: SocketClose, error?: unknown): void {
    this.#isClosed(close);
    if (this.#isOver) return;
    if (error !== undefined) this.#over({ thrown: error });
    else if (close.code === 1000 || close.code === 1005) this.#over(null);
    else this.#over({ thrown: new SocketError(this.#options.name, close) });
  }

  /** Ends by a signal: the loop throws its reason, whatever waits. */
  aborted(reason: unknown): void {
    this.#messages.length = 0;
    this.#leave(1000, "", reason);
  }

  #over(error: { readonly thrown: unknown } | null): void {
    this.#isOver = true;
    this.#error = error;
    this.leaving.abort();
    for (const { resolve, reject } of this.#readers.splice(0)) {
      if (this.#error === null) resolve({ value: undefined, done: true });
      else reject(this.#error.thrown);
      this.#error = null;
    }
  }

  #leave(code: number, reason: string, error?: unknown): void {
    if (this.#isOver) return;
    const line = this.#line;
    this.#over(error === undefined ? null : { thrown: error });
    if (line === null) this.#isClosed({ code, reason });
    else line.close(code, reason);
  }

  send(message: unknown): boolean {
    const data = this.#options.write(message);
    if (this.#isOver) return false;
    if (this.#line !== null) {
      this.#line.send(data);
      return this.#line.bufferedAmount < fullBytes;
    }
    // A longer message waits alone.
    if (this.#unsentLength > 0 && this.#unsentLength + data.length > mostUnsent) {
      throw new RangeError(
        `Cannot send a message of ${this.#options.name}: ${mostUnsent} bytes wait for a new connection; wait for ` +
          "drained()",
      );
    }
    this.#unsentLength += data.length;
    this.#unsent.push(data);
    return false;
  }

  async drained(): Promise<void> {
    while (!this.#isOver && (this.#line === null || this.#line.bufferedAmount >= fullBytes)) {
      // The platform does not say when what was sent has left.
      await new Promise((resolve) => setTimeout(resolve, drainMs));
    }
  }

  close(code: number = 1000, reason: string = ""): void {
    checkCloseCode(code, code === 1000 || code >= 3000);
    this.#leave(code, closeReason(reason));
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    const message = this.#messages.shift();
    if (message !== undefined) {
      this.#waiting -= message.length;
      return { value: message.value, done: false };
    }
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error.thrown;
    if (this.#isOver) return { value: undefined, done: true };
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  async return(): Promise<IteratorResult<unknown, undefined>> {
    this.#messages.length = 0;
    this.#error = null;
    this.#leave(1000, "");
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
