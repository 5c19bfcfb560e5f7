import type { Socket } from "node:net";
import type { RequestListener, Server, ServerResponse } from "node:http";

/** The connections of a server, and the responses that are under way on each. */
export interface Connections {
  /** Those of one connection: several where the client has not waited for the first. */
  responsesOn(socket: Socket): ReadonlySet<ServerResponse>;
  /**
   * Closes the server gracefully: no new connections and requests, idle connections are closed, the others after their last
   * response.
   */
  close(): void;
}

/** Has a server, which has no connections yet, answer requests until it closes, and keeps account of its connections. */
export function trackConnections(server: Server, answer: RequestListener): Connections {
  const underWay = new Map<Socket, Set<ServerResponse>>();
  let isClosing = false;

  // That of TLS is a connection of its own, once both sides agree.
  server.on("setSecureContext" in server ? "secureConnection" : "connection", (socket: Socket) => {
    if (isClosing) return void socket.destroySoon();
    underWay.set(socket, new Set());
    socket.once("close", () => underWay.delete(socket));
  });
  server.on("request", (request, response) => {
    // RFC 9112 §9.6: nothing behind the last response, which content that nobody reads would take with it by a reset.
    if (isClosing) return void request.resume();
    account(request.socket, response);
    answer(request, response);
  });

  function account(socket: Socket, response: ServerResponse): void {
    const responses = underWay.get(socket);
    if (responses === undefined) return;
    responses.add(response);
    response.once("close", () => {
      responses.delete(response);
      if (isClosing && responses.size === 0) socket.destroySoon();
    });
  }

  return {
    responsesOn: (socket) => underWay.get(socket) ?? new Set(),
    close() {
      isClosing = true;
      // What Node takes for idle are also connections whose response has been ended but not yet sent. The rest of its `close()`
      // is needed: an interval would hold the server until the process ends.
      const { closeIdleConnections } = server;
      server.closeIdleConnections = () => {};
      server.close();
      server.closeIdleConnections = closeIdleConnections;
      for (const [socket, responses] of underWay) {
        const last = [...responses].at(-1);
        if (last === undefined) socket.destroySoon();
        // Tells the client by `Connection: close`, if the head is not sent yet. Node drops what comes behind that.
        else last.shouldKeepAlive = false;
      }
    },
  };
}
