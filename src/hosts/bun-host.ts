import type { Host } from "../dispatch/runtime-host.ts";
import { passedWith } from "../http/message/framed-content.ts";
import { originEnd } from "../routing/request/target-path.ts";
import { takeAccepted, type UpgradingServer } from "../sockets/accepted.ts";

/** The server that Bun passes to `fetch`. Others pass an object of their own, such as bindings. */
interface BunServer extends UpgradingServer {
  requestIP(request: Request): unknown;
}

export const bunHost: Host = {
  recognizes: (globals) => "Bun" in globals,
  // The server joins what the client sent if the parser refuses the Host.
  pathStart: originEnd,
  // The server knows the addresses of its own requests only: none of those that middleware made.
  frames(request, passed) {
    try {
      return isServer(passed) && passed.requestIP(request) !== null;
    } catch {
      return false;
    }
  },
  // To ask for the address takes as long as is saved.
  writesLength: (request) => isServer(passedWith(request)),
  complete(request, passed, response) {
    const server = Object(passed) as BunServer;
    const accepted = typeof server.upgrade === "function" ? takeAccepted(request) : undefined;
    return accepted === undefined ? null : accepted.wires.completeOnBun(accepted, request, server, response);
  },
};

function isServer(passed: object | undefined): passed is BunServer {
  return typeof (passed as Partial<BunServer> | undefined)?.requestIP === "function";
}
