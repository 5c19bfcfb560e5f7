import type { Bytes } from "../http/javascript/bytes.ts";
import { mostBytes } from "./message-length.ts";
import type { Wire, WireListener } from "./wire.ts";

/** The connection that a socket of Bun was upgraded for, and how it is opened. */
interface BunUpgrade {
  readonly connection: WireListener;
  readonly server: BunTopics;
  readonly wires: { openOnBun(socket: BunSocket, connection: WireListener): void };
}

/** The topics of a server. */
interface BunTopics {
  subscriberCount(topic: string): number;
  publish(topic: string, data: string | Uint8Array): number;
}

export interface BunSocket {
  readonly data: BunUpgrade;
  send(data: string | Uint8Array): number;
  close(code: number, reason: string): void;
  terminate(): void;
  ping(): void;
  getBufferedAmount(): number;
  subscribe(topic: string): unknown;
  unsubscribe(topic: string): unknown;
  publish(topic: string, data: string | Uint8Array): number;
}

/** What Bun calls: `websocket` of `Bun.serve()`. */
export interface BunWebSocket {
  /** The longest message that the server takes, in bytes. */
  readonly maxPayloadLength: number;
  readonly backpressureLimit: number;
  readonly sendPings: boolean;
  open(socket: BunSocket): void;
  message(socket: BunSocket, data: string | Bytes): void;
  drain(socket: BunSocket): void;
  pong(socket: BunSocket): void;
  ping(socket: BunSocket): void;
  close(socket: BunSocket, code: number, reason: string): void;
}

/** Makes what Bun calls for the sockets of an application. */
export function bunWebSocket(): BunWebSocket {
  return {
    // Bun has one limit for all sockets of a server: a connection with a smaller one looks at each message.
    maxPayloadLength: mostBytes,
    // The connection itself gives up a client that does not read. Two messages of the longest may wait, and more.
    backpressureLimit: 3 * mostBytes,
    // The connection pings, and counts what is not answered.
    sendPings: false,
    open: (socket) => socket.data.wires.openOnBun(socket, socket.data.connection),
    // Bun reuses the memory of its buffers.
    message: ({ data }, sent) => data.connection.received(typeof sent === "string" ? sent : new Uint8Array(sent)),
    drain: ({ data }) => data.connection.drained(),
    pong: alive,
    ping: alive,
    close: ({ data }, code, reason) => data.connection.closed(code, reason),
  };
}

function alive({ data }: BunSocket): void {
  data.connection.alive();
}

export function openOnBun(socket: BunSocket, connection: WireListener): void {
  connection.opened(new BunWire(socket));
}

class BunWire implements Wire {
  readonly #socket: BunSocket;

  constructor(socket: BunSocket) {
    this.#socket = socket;
  }

  get waiting(): number {
    return this.#socket.getBufferedAmount();
  }

  send(data: string | Uint8Array): void {
    this.#socket.send(data);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  cut(): void {
    this.#socket.terminate();
  }

  ping(): void {
    this.#socket.ping();
  }

  join(topic: string): void {
    this.#socket.subscribe(topic);
  }

  part(topic: string): void {
    this.#socket.unsubscribe(topic);
  }

  joined(topic: string): number {
    return this.#socket.data.server.subscriberCount(topic);
  }

  publish(topic: string, data: string | Uint8Array, isForItself: boolean): boolean {
    return (isForItself ? this.#socket.data.server : this.#socket).publish(topic, data) > 0;
  }
}
