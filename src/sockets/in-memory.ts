import type { Accepted } from "./accepted.ts";
import { SocketEnd } from "./client-socket.ts";
import { rawMessages } from "./messages.ts";
import type { WireListener } from "./wire.ts";

/** Connects both ends of an accepted handshake in memory, and returns the end of the client. */
export function connectedInMemory(accepted: Accepted, name: string): SocketEnd {
  const { connection, protocol, receivesJson, sendsJson } = accepted;
  const end = new SocketEnd({
    name,
    maxWaitingBytes: Infinity,
    read: (data) => (sendsJson === true && typeof data === "string" ? JSON.parse(data) : data),
    write: (message) => (receivesJson === true ? JSON.stringify(message) : rawMessages.write(message)),
  });
  connect(connection, end, protocol);
  return end;
}

/** Leads what one end sends to the other, each time in a turn of its own, as over a network. */
function connect(connection: WireListener, end: SocketEnd, protocol: string): void {
  let isOver = false;
  const close = (code: number, reason: string): void => {
    if (isOver) return;
    isOver = true;
    queueMicrotask(() => {
      connection.closed(code, reason);
      end.ended({ code, reason });
    });
  };
  const bufferedAmount = 0;
  end.connected({ bufferedAmount, close, send: (data) => later(data, (copy) => connection.received(copy)) }, protocol);
  connection.opened({
    waiting: 0,
    close,
    cut: close.bind(null, 1006, ""),
    send: (data) => later(data, (copy) => end.received(copy)),
  });
}

function later(data: string | Uint8Array, take: (data: string | Uint8Array<ArrayBuffer>) => void): void {
  const copy = typeof data === "string" ? data : new Uint8Array(data);
  queueMicrotask(() => take(copy));
}
