import type { Host } from "../dispatch/runtime-host.ts";
import { takeAccepted } from "../sockets/accepted.ts";
import type { StandardSocket } from "../sockets/standard-wire.ts";

export const workersHost: Host = {
  // Without the flag `global_navigator` there is no navigator.
  recognizes: (globals) => "WebSocketPair" in globals,
  pair: () => new (globalThis as unknown as Workers).WebSocketPair(),
  complete(request) {
    const accepted = takeAccepted(request);
    accepted?.wires.listenTo(accepted.socket!, accepted.connection);
    return null;
  },
  // Workers have no other protocol beside WebSocket.
  hidesConnection: true,
  isIsolate: true,
};

interface Workers {
  readonly WebSocketPair: new () => { readonly 0: StandardSocket; readonly 1: StandardSocket };
}
