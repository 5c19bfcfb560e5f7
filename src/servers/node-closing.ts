import { Server as NetServer, type Socket } from "node:net";
import type { Server, ServerResponse } from "node:http";

/** The connections of a server, and the responses that are under way on each. */
export interface Connections {
  /** Those of one connection: several where the client has not waited for the first. */
  responsesOn(socket: Socket): ReadonlySet<ServerResponse>;
  /**
   * Closes the server gracefully: no new connections, idle ones are closed, the others after their last response.
   *
   * Node's own `close()` destroys connections whose response has been ended but not yet sent.
   */
  close(): void;
}

/** Keeps account of the connections of a server, which has none yet. */
export function connectionsOf(server: Server): Connections {
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

  return {
    responsesOn: (socket) => underWay.get(socket) ?? new Set(),
    close() {
      isClosing = true;
      NetServer.prototype.close.call(server);
      for (const [socket, responses] of underWay) {
        if (responses.size === 0) socket.destroySoon();
        // Tells the client by `Connection: close`, if the head is not sent yet.
        for (const response of responses) response.shouldKeepAlive = false;
      }
    },
  };
}
