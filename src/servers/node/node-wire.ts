import type { Socket } from "node:net";
import type * as ws from "ws";
import type { Published, Wire, WireListener } from "../../sockets/wire.ts";

/** Names the member of a peer that is its connection: functions of each peer would be half of its memory. */
const connectionOf: unique symbol = Symbol("connection");

interface Peer extends ws.WebSocket {
  [connectionOf]: WireListener;
}

/** Reports the events of a socket of the package ws to a connection, which writes to it. */
export function openOnNode(webSocket: ws.WebSocket, socket: Socket, connection: WireListener): void {
  const peer = Object.assign(webSocket, { [connectionOf]: connection });
  peer.binaryType = "nodebuffer";
  peer.on("error", failed);
  peer.on("message", received);
  peer.on("pong", alive);
  peer.on("ping", alive);
  peer.on("close", closed);
  connection.opened(new NodeWire(peer, socket));
}

/** The close event says 1006 of all that the client did wrong, though `ws` has closed with 1009 here. */
function failed(this: ws.WebSocket, error: Error & { readonly code?: unknown }): void {
  const isLong = error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
  if (isLong) (this as Peer)[connectionOf].closed(1009, "A message is too long");
}

function received(this: ws.WebSocket, data: ws.RawData, isBinary: boolean): void {
  (this as Peer)[connectionOf].received(isBinary ? new Uint8Array(data as Buffer) : data.toString());
}

function alive(this: ws.WebSocket): void {
  (this as Peer)[connectionOf].alive();
}

function closed(this: ws.WebSocket, code: number, reason: Buffer): void {
  (this as Peer)[connectionOf].closed(code, reason.toString());
}

/** Connections that hold what was published to them, until the turn ends. */
const holding = new Set<Socket>();
/** So many of them are written to in one turn, and requests are answered before the next. */
const mostInTurn = 256;
/** A connection holds no more bytes than these. */
const mostHeld = 65_536;

function release(): void {
  let count = 0;
  for (const socket of holding) {
    if (++count > mostInTurn) return void setImmediate(release);
    holding.delete(socket);
    socket.uncork();
  }
}

/** Writes a message as an unmasked frame (RFC 6455 §5.2). */
function frameOf(data: string | Uint8Array): Buffer {
  const isText = typeof data === "string";
  const content = isText ? Buffer.from(data) : data;
  const { length } = content;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = isText ? 0x81 : 0x82;
  head[1] = head.length === 2 ? length : head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeUInt32BE(length, 6);
  return Buffer.concat([head, content]);
}

class NodeWire implements Wire {
  readonly #peer: Peer;
  readonly #socket: Socket;
  /** Made by the first message: an idle peer has none. */
  #sent: (() => void) | null = null;

  constructor(peer: Peer, socket: Socket) {
    this.#peer = peer;
    this.#socket = socket;
  }

  get waiting(): number {
    return this.#peer.bufferedAmount;
  }

  send(data: string | Uint8Array, published?: Published): void {
    // An error is reported to those that wait for it, and to nobody else.
    this.#sent ??= () => this.#peer[connectionOf].drained();
    if (published === undefined || this.#peer.readyState !== this.#peer.OPEN) this.#peer.send(data, this.#sent);
    else this.#hold((published.frame ??= frameOf(data)), this.#sent);
  }

  /** PERF: all that is published to a peer in a turn is one write: 2 us a message for 12 (`bench/sockets`). */
  #hold(frame: Uint8Array, sent: () => void): void {
    const socket = this.#socket;
    if (!holding.has(socket)) {
      if (holding.size === 0) setImmediate(release);
      holding.add(socket);
      socket.cork();
    }
    socket.write(frame, sent);
    if (socket.writableLength < mostHeld) return;
    holding.delete(socket);
    socket.uncork();
  }

  close(code: number, reason: string): boolean {
    const isFirst = this.#peer.readyState === this.#peer.OPEN;
    this.#peer.close(code, reason);
    return isFirst;
  }

  cut(): void {
    this.#peer.terminate();
  }

  pause(): void {
    this.#peer.pause();
  }

  resume(): void {
    this.#peer.resume();
  }

  ping(): void {
    this.#peer.ping();
  }
}
