import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { measuring } from "../../http/javascript/measuring.ts";
import type { Connections } from "./connections.ts";

/** Limits what clients take of a server by being there: how many there are, and how slow one may be. */
export function limitClients(
  server: Server,
  connections: Connections,
  { maxConnections, maxSlowMs }: { maxConnections?: number | undefined; maxSlowMs?: number | undefined },
): void {
  if (maxConnections !== undefined) {
    server.maxConnections = maxConnections;
    server.on("drop", () => measureRefusal("maxConnections"));
  }
  if (maxSlowMs === undefined) return;
  server.timeout = maxSlowMs;
  // Node asks after a time in which nothing was sent and nothing came. Once somebody listens, nothing is cut by itself.
  server.on("timeout", (socket: Socket) => {
    const responses = connections.responsesOn(socket);
    const isSlow = socket.writableLength > 0 || responses.some(({ req }) => isAwaited(req));
    if (responses.length > 0 && !isSlow) return void socket.setTimeout(maxSlowMs);
    if (isSlow) measureRefusal("maxSlowMs");
    socket.destroy();
  });
}

function cut(this: Socket): void {
  if (this.writableLength === 0) return;
  measureRefusal("maxSlowMs");
  this.destroy();
}

/**
 * Cuts a connection on which a client reads nothing. A listener for "timeout": Node has handed the connection over, and
 * no longer watches it.
 */
export const cutUnread: (this: Socket) => void = cut;

/** Returns whether a handler waits for more of the content of a request. What it does not take is not the client's. */
function isAwaited({ complete, readableFlowing, readableLength }: IncomingMessage): boolean {
  return !complete && readableFlowing !== null && readableLength === 0;
}

function measureRefusal(cause: string): void {
  measuring.measure?.("fingerpost.refused_requests", 1, { "error.type": cause });
}
