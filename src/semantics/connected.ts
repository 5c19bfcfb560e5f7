import { requestTo, type RequestOptions } from "../application/request-options.ts";
import type { ClientSocket } from "../sockets/client-socket.ts";
import { connectTo } from "../sockets/connecting.ts";
import { connectedInMemory } from "../sockets/in-memory.ts";
import type { Bytes } from "../http/javascript/bytes.ts";

/**
 * Connects to a resource in memory; see `Application.connect()`. It is a file of this chain, so that one file has all
 * that declared operations load by need.
 */
export function connected(
  fetch: (request: Request) => Promise<Response>,
  path: string,
  options: RequestOptions,
): Promise<ClientSocket<string | Bytes, string | Uint8Array>> {
  return connectTo(fetch, requestTo(path, options), connectedInMemory);
}
