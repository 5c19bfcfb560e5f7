import type { Bytes } from "../http/javascript/bytes.ts";
import { propertyOf } from "../http/javascript/property.ts";
import { takeAccepted } from "./accepted.ts";
import type { Wire, WireListener } from "./wire.ts";

/** A socket of Bun, with the connection that it was upgraded for. */
export interface BunSocket {
  readonly data: WireListener;
  send(data: string | Uint8Array): number;
  close(code: number, reason: string): void;
  terminate(): void;
  ping(): void;
  getBufferedAmount(): number;
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

/** Bun has one limit for all sockets of a server: a connection with a smaller one looks at each message. */
const mostBytes = 16_777_216;

/** Makes what Bun calls for the sockets of an application. */
export function bunWebSocket(): BunWebSocket {
  return {
    maxPayloadLength: mostBytes,
    // The connection itself gives up a client that does not read.
    backpressureLimit: mostBytes,
    // The connection pings, and counts what is not answered.
    sendPings: false,
    open: (socket) => socket.data.opened(wireOf(socket)),
    message(socket, data) {
      // Bun reuses the memory of its buffers.
      socket.data.received(typeof data === "string" ? data : new Uint8Array(data));
    },
    drain: (socket) => socket.data.drained(),
    pong: (socket) => socket.data.alive(),
    ping: (socket) => socket.data.alive(),
    close: (socket, code, reason) => socket.data.closed(code, reason),
  };
}

/**
 * Completes the handshake of a request by the server of Bun that it came to. Leaves it to others where the host is
 * none.
 */
export function completedByBun(response: globalThis.Response, request: Request, host: unknown): globalThis.Response {
  const upgrade =
    typeof host === "object" && host !== null ? propertyOf(host as Partial<BunServer>, "upgrade") : undefined;
  if (typeof upgrade !== "function") return response;
  const accepted = takeAccepted(request);
  if (accepted === undefined) return response;
  const { connection, protocol } = accepted;
  // Without the field, Bun would agree on whatever the client offers.
  const headers = { "Sec-WebSocket-Protocol": protocol };
  const isDone = upgrade.call(host as BunServer, request, { headers, data: connection });
  return isDone ? response : new Response(null, { status: 400 });
}

interface BunServer {
  upgrade(request: Request, options: object): boolean;
}

function wireOf(socket: BunSocket): Wire {
  return {
    get waiting() {
      return socket.getBufferedAmount();
    },
    send: (data) => void socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
    ping: () => socket.ping(),
  };
}
