import { connect } from "node:net";
import type { Server } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "../support/sockets.ts";

/**
 * Writes bytes to a server as they are, and gives all it answers until it closes the connection.
 *
 * @param isAll whether the client then says that it sends no more.
 */
export function exchange(server: Server, bytes: string, isAll: boolean = false): Promise<string> {
  const socket = connect({ port: portOf(server), host: "127.0.0.1", allowHalfOpen: true });
  socket.write(bytes, "latin1");
  if (isAll) socket.end();
  return text(socket);
}
