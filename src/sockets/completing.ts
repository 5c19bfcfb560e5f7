import { ownFieldsOf, type Accepted, type Upgrade, type UpgradingServer } from "./accepted.ts";

/** Completes a handshake by the server of Bun. Returns what the runtime is given in place of the 101, if anything. */
export function completeOnBun(
  accepted: Accepted,
  request: Request,
  server: UpgradingServer,
  response: Response,
): Response | null {
  // Without the field, Bun would agree on whatever the client offers.
  const headers = [...ownFieldsOf(response), ["Sec-WebSocket-Protocol", accepted.protocol]];
  const isOpen = server.upgrade(request, { headers, data: { ...accepted, server } });
  return isOpen ? null : new Response(null, { status: 400 });
}

/** Completes a handshake by what Deno has for it, and returns the answer that the runtime is given. */
export function completeOnDeno(accepted: Accepted, request: Request, upgrade: Upgrade, given: Response): Response {
  const { protocol, connection, wires } = accepted;
  const [shown, options] = protocol === "" ? [request, {}] : [offering(request, protocol), { protocol }];
  const { socket, response } = upgrade(shown, options);
  wires.listenTo(socket, connection);
  for (const [name, value] of ownFieldsOf(given)) response.headers.append(name, value);
  return response;
}

/** Deno parts the offered subprotocols at ", " only, and takes none that it does not find: it is shown the one. */
function offering(request: Request, protocol: string): Request {
  const headers = new Headers(request.headers);
  headers.set("sec-websocket-protocol", protocol);
  return Object.create(request, { headers: { value: headers } }) as Request;
}
