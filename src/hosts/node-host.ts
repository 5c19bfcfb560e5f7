import type { Host } from "../dispatch/runtime-host.ts";
import { parsedPathStart } from "../dispatch/input.ts";
import { parserLeavesDots } from "../routing/request/target-path.ts";

/**
 * Node, and browsers with their service workers. `serve()` and `upgrades()` complete the handshakes that the
 * application has accepted.
 */
export const nodeHost: Host = {
  // Node 20 has no navigator, and its parser identifies it. Others that imitate Node without one are unknown.
  recognizes(globals) {
    const { navigator } = globals as { readonly navigator?: { readonly userAgent?: string } };
    return /^(?:Node\.js|Mozilla)\//.test(navigator?.userAgent ?? (parserLeavesDots ? "Node.js/" : ""));
  },
  pathStart: parsedPathStart,
};
