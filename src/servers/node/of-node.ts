import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Response as OwnResponse } from "../../http/message/response.ts";
import type { NodeResponse } from "./client-leave.ts";

const { write, end } = ServerResponse.prototype;
/**
 * Whether Node says when it lets go of what is written. Where somebody has replaced a function before this was loaded,
 * nobody knows.
 */
const isKnown =
  OwnResponse !== Response && !["write", "end"].some((name) => Object.hasOwn(ServerResponse.prototype, name));
const functionsOfSocket = (["write", "_write", "_writev", "_writeGeneric"] as (keyof Socket)[]).map(
  (name) => [name, Socket.prototype[name]] as const,
);

/**
 * Returns whether nobody but Node and the system has what is written to a response. Others may keep it: a log that has
 * replaced `write()`, or a connection that is a stream of a program.
 */
export function isOfNode(response: NodeResponse): boolean {
  const { socket } = response;
  return (
    isKnown &&
    response.write === write &&
    response.end === end &&
    socket instanceof Socket &&
    // A handle that a program has made has no address.
    socket.remoteAddress !== undefined &&
    functionsOfSocket.every(([name, own]) => socket[name] === own)
  );
}
