import type { Host } from "../dispatch/runtime-host.ts";
import { passedWith } from "../http/message/framed-content.ts";
import { ownFieldsOf, takeAccepted } from "../sockets/accepted.ts";
import type { StandardSocket } from "../sockets/standard-wire.ts";

/** What Deno makes of the request of a handshake. */
interface Upgraded {
  readonly socket: StandardSocket;
  readonly response: Response;
}

export const denoHost: Host = {
  recognizes: (globals) => "Deno" in globals,
  frames: hasFixedFields,
  writesLength: (request) => passedWith(request) !== undefined && hasFixedFields(request),
  complete(request, _passed, given) {
    const accepted = takeAccepted(request);
    if (accepted === undefined) return null;
    const { protocol, connection, wires } = accepted;
    const { Deno } = globalThis as unknown as {
      readonly Deno: { upgradeWebSocket(request: Request, options: object): Upgraded };
    };
    const [shown, options] = protocol === "" ? [request, {}] : [offering(request, protocol), { protocol }];
    const { socket, response } = Deno.upgradeWebSocket(shown, options);
    wires.listenTo(socket, connection);
    for (const [name, value] of ownFieldsOf(given)) response.headers.append(name, value);
    return response;
  },
  asksToRead: true,
};

/** The symbol by which Deno keeps in a request whether its fields can be changed, once it was found. */
let guard: symbol | undefined;

/**
 * Returns whether the fields of a request cannot be changed, as on Deno only those of its server's own. Deno keeps that
 * in a request: to try and change its fields throws, which costs as much as is saved.
 */
function hasFixedFields(request: object): boolean {
  if (guard === undefined || !Object.hasOwn(request, guard)) {
    guard = Object.getOwnPropertySymbols(request).find(({ description }) => description === "headers guard");
  }
  return guard !== undefined && (request as Record<symbol, unknown>)[guard] === "immutable";
}

/** Deno parts the offered subprotocols at ", " only, and takes none that it does not find: it is shown the one. */
function offering(request: Request, protocol: string): Request {
  const headers = new Headers(request.headers);
  headers.set("sec-websocket-protocol", protocol);
  return Object.create(request, { headers: { value: headers } }) as Request;
}
