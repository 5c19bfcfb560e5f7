import { Server as NetServer, type Socket } from "node:net";
import type { Server, ServerResponse } from "node:http";

/**
 * Prepares a server for being closed gracefully, and returns the function that does it: no new connections, idle ones are
 * closed, the others after their last response.
 *
 * Node's own `close()` destroys connections whose response has been ended but not yet sent.
 */
export function closerOf(server: Server): () => void {
  const underWay = new Map<Socket, Set<ServerResponse>>();
  let isClosing = false;

  server.on("connection", (socket) => {
    underWay.set(socket, new Set());
    socket.once("close", () => underWay.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    const responses = underWay.get(socket);
    if (responses === undefined) return;
    responses.add(response);
    if (isClosing) response.shouldKeepAlive = false;
    response.once("close", () => {
      responses.delete(response);
      if (isClosing && responses.size === 0) socket.destroySoon();
    });
  });

  return () => {
    isClosing = true;
    NetServer.prototype.close.call(server);
    for (const [socket, responses] of underWay) {
      if (responses.size === 0) socket.destroySoon();
      // Tells the client by `Connection: close`, if the head is not sent yet.
      for (const response of responses) response.shouldKeepAlive = false;
    }
  };
}
