import { connect } from "node:net";
import type { Server } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "../sockets.ts";

/** Writes bytes to a server as they are, and gives all it answers until it closes the connection. */
export function exchange(server: Server, bytes: string): Promise<string> {
  const socket = connect(portOf(server), "127.0.0.1");
  socket.write(bytes, "latin1");
  return text(socket);
}
