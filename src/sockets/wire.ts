import type { Bytes } from "../http/javascript/bytes.ts";

/** A message to all that listen to a topic, and how it is written: once for all of them. */
export interface Published {
  frame?: Uint8Array | undefined;
}

/** A connection as a runtime has it, after the handshake. */
export interface Wire {
  /** Bytes that were sent and have not left yet; 0 where the runtime does not say. */
  readonly waiting: number;
  /** Sends a message: a string as text, bytes as they are. One to many may leave at the end of the turn. */
  send(data: string | Uint8Array, published?: Published): void;
  /** Sends a close frame. Returns false where the client has closed before. */
  close(code: number, reason: string): unknown;
  /** Ends the connection at once. */
  cut(): void;
  /** Stops reading. Absent where the runtime cannot. */
  pause?(): void;
  /** Reads again. */
  resume?(): void;
  /** Asks whether the client is there; a runtime that pings by itself has none. */
  ping?(): void;
  /** Joins a topic of the server; absent where the server has none. */
  join?(topic: string): void;
  /** Leaves a topic of the server. */
  part?(topic: string): void;
  /** How many connections of the same server have joined a topic. */
  joined?(topic: string): number;
  /** Sends to all that have joined a topic, or to all others. Returns false when messages wait for one of them. */
  publish?(topic: string, data: string | Uint8Array, isForItself: boolean): boolean;
}

/** The events of a connection, as its runtime reports them. */
export interface WireListener {
  opened(wire: Wire): void;
  received(data: string | Bytes): void;
  /** Less waits than before. */
  drained(): void;
  /** The client has answered a ping, or sent one. */
  alive(): void;
  /** The server stops. */
  leave(): void;
  closed(code: number, reason: string): void;
}
