import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** The events that say that a message is over, and those that lead there. */
const ends: ReadonlySet<unknown> = new Set(["end", "close", "data", "readable"]);

/**
 * The message of a request to a server of ours. It ends when somebody first listens for its end. For most, nobody does:
 * their content is taken at once, or they have none. PERF: to end each, Node takes six turns of its queues: 1.2 us of
 * 8.8 (`node bench/requests/kernel-less.js "fingerpost semantics" R1`).
 */
export class ServerMessage extends IncomingMessage {
  #isWatched = false;
  #isPutOff = false;
  /** Whether the message would have ended unless its end was put off. */
  #isOver = false;
  /** Is called when all has arrived, for the reader who has taken the content. */
  #tell: (() => void) | null = null;

  static {
    // Node keeps a message that is not over until the next one of its connection.
    Object.defineProperty(this.prototype, "readableEnded", {
      get(this: ServerMessage): unknown {
        return this.#isOver || Reflect.get(Readable.prototype, "readableEnded", this);
      },
    });
  }

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk !== null) return super.push(chunk, encoding);
    const isTaken = this.#tell !== null;
    this.#tell?.();
    if (this.#isWatched || this.readableFlowing === true) return super.push(null);
    this.#isPutOff = true;
    this.#isOver = isTaken;
    return false;
  }

  override destroy(error?: Error): this {
    this.#tell?.();
    return super.destroy(error);
  }

  /**
   * Lets the message end, as its content was taken. Waits until all of it has arrived, or nothing more will; null if it
   * has. PERF: Node reports the end in the same turn as content that came with the head, but after what waits for
   * Promises. To wait for its events takes 1.4 us of 21 (`node bench/requests.js --measure=sockets --rows=R2`).
   */
  letEnd(): Promise<void> | null {
    if (!this.complete) return new Promise((resolve) => (this.#tell = resolve));
    this.resume();
    return null;
  }

  override read(size?: number): unknown {
    if (!this.#isPutOff || this.readableLength > 0) return super.read(size) as unknown;
    this.#isOver = true;
    return null;
  }

  override resume(): this {
    // What is left of its content flows away.
    if (this.#isPutOff && this.readableLength > 0) this.#watch();
    if (!this.#isPutOff) return super.resume();
    this.#isOver = true;
    return this;
  }

  override on(event: string | symbol, listener: (...given: never[]) => void): this {
    super.on(event, listener as () => void);
    if (ends.has(event)) this.#watch();
    return this;
  }

  override addListener(event: string | symbol, listener: (...given: never[]) => void): this {
    super.addListener(event, listener as () => void);
    if (ends.has(event)) this.#watch();
    return this;
  }

  override prependListener(event: string | symbol, listener: (...given: never[]) => void): this {
    super.prependListener(event, listener as () => void);
    if (ends.has(event)) this.#watch();
    return this;
  }

  #watch(): void {
    this.#isWatched = true;
    if (!this.#isPutOff) return;
    const isOver = this.#isOver;
    this.#isPutOff = this.#isOver = false;
    super.push(null);
    if (isOver) super.resume();
  }
}
