import type { ClientSocket } from "../sockets/client-socket.ts";

/** Options of `connect()`. */
export interface ConnectOptions<Socket = ClientSocket> {
  /**
   * The directions whose messages are `text()`, as the operation names them: a client sends what it `receives`. Without
   * it, text frames are JSON.
   */
  readonly text?: "receives" | "sends" | "both" | undefined;
  /** The subprotocols that are offered, the best first. Default: none. */
  readonly protocols?: readonly string[] | undefined;
  /**
   * Connects again when the server stops or fails, or the connection breaks off. Default: `false`.
   *
   * The wait begins at one second and doubles up to 60 seconds, with jitter. After 10 tries in a row the loop throws.
   */
  readonly reconnect?: boolean | undefined;
  /** Runs on each new connection, before messages that waited are sent. */
  readonly opened?: ((socket: Socket) => void) | undefined;
  /**
   * Maximum size of messages that wait for the loop, in bytes; a character counts as one. The loop throws beyond it.
   * Default: 16 MiB.
   */
  readonly maxWaitingBytes?: number | undefined;
  /** The class that connects, called as the one of the package `ws`. Default: the global `WebSocket`. */
  readonly WebSocket?: (new (...args: never) => object) | undefined;
}
