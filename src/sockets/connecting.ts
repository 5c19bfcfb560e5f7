import type { Bytes } from "../http/javascript/bytes.ts";
import { refusal } from "../http/protocol/http-error.ts";
import { keepInMemory, type Sender } from "./accepted.ts";
import type { ClientSocket } from "./client-socket.ts";
import type { connectedInMemory } from "./in-memory.ts";

/**
 * Sends a handshake to an application, and connects both ends in memory.
 * @param connected `connectedInMemory()`, which is loaded by need: programs without such clients are smaller.
 * @throws {HTTPError} with the status of the answer, if it is not 101.
 */
export async function connectTo(
  fetch: (request: Request) => Promise<globalThis.Response>,
  request: Request,
  connected: typeof connectedInMemory,
): Promise<ClientSocket<string | Bytes, string | Uint8Array>> {
  for (const [name, value] of handshake) request.headers.set(name, value);
  const sender: Sender = {};
  keepInMemory(request, sender);
  const response = await fetch(request);
  const { accepted } = sender;
  const { pathname } = new URL(request.url);
  if (response.status !== 101 || accepted === undefined) {
    const error = refusal(response, `Cannot connect to ${pathname}: it was answered by ${response.status}`);
    error.cause = response;
    throw error;
  }
  return connected(accepted, pathname) as ClientSocket<never, unknown>;
}

/** The fields of a handshake (RFC 6455 §4.1). */
export const handshake = [
  ["connection", "upgrade"],
  ["upgrade", "websocket"],
  ["sec-websocket-version", "13"],
  ["sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA=="],
] as const;
