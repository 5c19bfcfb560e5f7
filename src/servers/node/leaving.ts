import type { Server } from "node:http";
import { propertyOf } from "../../http/javascript/property.ts";
import { messageOf } from "./incoming-request.ts";

/** The servers that were told to stop, and still take requests. */
const leaving = new WeakSet<Server>();

/** Notes that a server was told to stop, so that `health()` says so. */
export function leave(server: Server): void {
  leaving.add(server);
}

/** Returns whether the server that a request came from was told to stop. */
export function isLeaving(original: object): boolean {
  const server = propertyOf((messageOf(original)?.socket ?? {}) as { server?: Server }, "server");
  return server !== undefined && leaving.has(server);
}
