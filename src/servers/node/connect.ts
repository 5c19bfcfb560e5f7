import { ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./stopping.ts";

/**
 * Has a server answer CONNECT like other methods. Without a listener for `connect` Node drops the connection; with one it
 * leaves the connection alone from there on: what it does for others is done here. Whoever has a listener of their own, which may
 * come later, makes tunnels, and is left to it.
 */
export function answerConnect(server: Server, connections: Connections): void {
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    if (server.listenerCount("connect") > 1) return connections.take(request, socket);
    const response = responseTo(request);
    const others = connections.responsesOn(socket);
    socket.once("error", () => socket.destroy());
    // A client that waits for no answer may have asked for something before, and that goes out first.
    socket.on("drain", () => {
      for (const one of others) one.emit("drain");
    });
    // What is sent behind CONNECT is for a tunnel that there is not; unread, it would hide that the client has left.
    socket.on("end", () => socket.end()).resume();
    const answer = (): void => {
      if (socket.destroyed || socket.writableEnded || others.size > 0) return;
      try {
        response.assignSocket(socket);
      } catch {
        // Node 24 and later tell of a response that was broken off before its turn, and give it the connection all the same.
        return void socket.destroy();
      }
      response.once("finish", () => socket.destroySoon());
      server.emit("request", request, response);
    };
    // Node lets go of a connection before the response emits "close".
    for (const other of others) other.once("close", answer);
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
