import { originalOf } from "../dispatch/input-exchange.ts";
import { Answer } from "../http/answer/carried-answer.ts";
import { responseOf } from "../http/message/response.ts";
import { isInMemory, keepAccepted, type Accepted } from "./accepted.ts";
import { listenTo, type StandardSocket } from "./standard-wire.ts";

/** Accepts a handshake. On Deno and Workers it is completed here, elsewhere by the server that takes it. */
export function accept(input: object, handshake: Accepted): globalThis.Response {
  const request = originalOf(input);
  const isTaken = isInMemory(request);
  const { Deno, WebSocketPair } = globalThis as Runtime;
  const { connection, protocol } = handshake;
  if (!isTaken && typeof Deno?.upgradeWebSocket === "function") {
    const { socket, response } =
      protocol === ""
        ? Deno.upgradeWebSocket(request, {})
        : Deno.upgradeWebSocket(offering(request, protocol), { protocol });
    listenTo(socket, connection);
    return response;
  }
  if (WebSocketPair !== undefined) {
    const { 0: client, 1: server } = new WebSocketPair();
    const fields = protocol === "" ? {} : { "sec-websocket-protocol": protocol };
    const response = new globalThis.Response(null, {
      status: 101,
      headers: fields,
      webSocket: client,
    } as ResponseInit);
    if (isTaken) {
      // There, no response without a WebSocket switches protocols.
      keepAccepted(request, { ...handshake, socket: server });
    } else {
      server.accept!();
      listenTo(server, connection);
    }
    return response;
  }
  keepAccepted(request, handshake);
  return responseOf(new Answer(101, [], null));
}

/** Deno parts the offered subprotocols at ", " only, and takes none that it does not find: it is shown the one. */
function offering(request: object, protocol: string): object {
  const headers = new Headers((request as Request).headers);
  headers.set("sec-websocket-protocol", protocol);
  return Object.create(request, { headers: { value: headers } }) as object;
}

interface Runtime {
  readonly Deno?: {
    upgradeWebSocket?(request: object, options: object): { socket: StandardSocket; response: globalThis.Response };
  };
  readonly WebSocketPair?: new () => { readonly 0: StandardSocket; readonly 1: StandardSocket };
}
