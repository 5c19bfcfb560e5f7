import { ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import { cutUnread } from "./slow-clients.ts";

/**
 * Makes a server answer CONNECT like other methods. Without a listener for `connect` Node drops the connection. With
 * one Node no longer handles the connection, so its work for other methods is done here. If you add a listener of your
 * own, even later, it makes tunnels and this function leaves them to it.
 */
export function answerConnect(server: Server, connections: Connections): void {
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    if (server.listenerCount("connect") > 1) return connections.take(request, socket);
    const response = responseTo(request);
    const others = new Set(connections.responsesOn(socket));
    socket.once("error", () => socket.destroy());
    socket.on("timeout", cutUnread);
    // A client that pipelines may have sent a request before, and its response goes out first.
    socket.on("drain", () => {
      for (const one of others) one.emit("drain");
    });
    // Bytes after CONNECT are for a tunnel that does not exist. If they stay unread, they hide that the client has
    // left.
    socket.on("end", () => socket.end()).resume();
    const answer = (): void => {
      if (socket.destroyed || socket.writableEnded || others.size > 0) return;
      try {
        response.assignSocket(socket);
      } catch {
        // Node 24 and later emit a response that was broken off before its turn, and hand over the connection
        // nevertheless.
        return void socket.destroy();
      }
      response.once("finish", () => socket.end(() => socket.destroy()));
      server.emit("request", request, response);
    };
    // Node releases a connection before the response emits "close".
    for (const other of others) {
      other.once("close", () => {
        others.delete(other);
        answer();
      });
    }
    answer();
  });
}

function responseTo(request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  // RFC 9110 §9.3.6: a 2xx response to CONNECT has neither field; the end of the connection ends the content.
  response.removeHeader("content-length");
  response.removeHeader("transfer-encoding");
  response.shouldKeepAlive = false;
  return response;
}
