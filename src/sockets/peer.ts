import type { Bytes } from "../http/javascript/bytes.ts";

/** One end of a WebSocket, as its handlers have it: the client that is connected. */
export interface Peer<Sends = string | Uint8Array> {
  /** The subprotocol that both sides agreed on; an empty string for none. */
  readonly protocol: string;
  /** A signal that aborts when the connection is over. */
  readonly signal: AbortSignal;
  /**
   * Sends a message. Returns whether more may follow at once; if not, wait for `drained()`.
   *
   * A peer that does not read is closed with 1013 when more than 1 MiB waits for it, besides its longest message. After
   * the end nothing is sent.
   *
   * @throws {TypeError} when the message is not what the operation declares.
   * @throws {RangeError} when the message has more than 16 MiB.
   */
  send(message: Sends): boolean;
  /** Fulfills when there is room for more, or the connection is over. */
  drained(): Promise<void>;
  /** Adds the peer to a topic of its resource. */
  subscribe(topic: string): void;
  /** Removes the peer from a topic. The end of the connection removes it from all. */
  unsubscribe(topic: string): void;
  /**
   * Sends a message to all peers of a topic but this one.
   *
   * @throws {TypeError} when the message is not what the operation declares.
   * @throws {RangeError} when the message has more than 16 MiB.
   */
  publish(topic: string, message: Sends): void;
  /**
   * Closes the connection after what was sent (RFC 6455 §7.4). Default: 1000.
   *
   * @param reason at most 123 bytes; what is longer is cut.
   * @throws {RangeError} when the code is not 1000, 1001, 1007 to 1014, or 3000 to 4999.
   */
  close(code?: number, reason?: string): void;
}

/** One error of a message. */
export interface InvalidMember {
  /** The place, as a JSON Pointer in a URI fragment (RFC 6901 §6). */
  readonly pointer: string;
  /** The expectation there. */
  readonly detail: string;
}

/** Handlers of a connection. Each may be asynchronous; messages of one peer are handled in order, one at a time. */
export interface PeerHandlers<Receives = string | Bytes, Sends = string | Uint8Array> {
  /** Runs when the connection opens. The first message waits until this handler is done. */
  open?(peer: Peer<Sends>): unknown;
  /** Runs for each message. */
  message?(peer: Peer<Sends>, message: Receives): unknown;
  /**
   * Runs for each message that does not fit its schema. Without this handler, such a message closes the connection with
   * 1008.
   */
  invalid?(peer: Peer<Sends>, errors: readonly InvalidMember[]): unknown;
  /**
   * Runs after the last message, when the connection is closed. The code is 1006 if no close frame arrived.
   */
  close?(peer: Peer<Sends>, code: number, reason: string): unknown;
}

const names: ReadonlySet<string> = new Set(["open", "message", "invalid", "close"]);

/**
 * Checks the handlers of a connection.
 * @param name the name of the resource, for messages.
 * @throws {TypeError} when one is unknown, or is not a function.
 */
export function checkHandlers(handlers: unknown, name: string): PeerHandlers<unknown, unknown> {
  if (typeof handlers !== "object" || handlers === null) {
    throw new TypeError(
      `Cannot answer GET of ${name} with a WebSocket: expected an object of handlers; write { open, message, close }`,
    );
  }
  for (const key of Object.keys(handlers)) {
    if (!names.has(key)) {
      throw new TypeError(
        `Cannot answer GET of ${name} with a WebSocket: "${key.slice(0, 80)}" is not a handler; write open, message, ` +
          "invalid or close",
      );
    }
    const handler = (handlers as Readonly<Record<string, unknown>>)[key];
    if (handler !== undefined && typeof handler !== "function") {
      throw new TypeError(
        `Cannot answer GET of ${name} with a WebSocket: its handler ${key} is not a function; write ${key}(peer) { … }`,
      );
    }
  }
  return handlers as PeerHandlers<unknown, unknown>;
}
