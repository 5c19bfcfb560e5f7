import type { Host } from "../dispatch/runtime-host.ts";
import { passedWith } from "../http/message/framed-content.ts";
import { takeAccepted, type Upgrade } from "../sockets/accepted.ts";

export const denoHost: Host = {
  recognizes: (globals) => "Deno" in globals,
  frames: hasFixedFields,
  writesLength: (request) => passedWith(request) !== undefined && hasFixedFields(request),
  complete(request, _passed, given) {
    const accepted = takeAccepted(request);
    if (accepted === undefined) return null;
    const { Deno } = globalThis as unknown as { readonly Deno: { readonly upgradeWebSocket: Upgrade } };
    return accepted.wires.completeOnDeno(accepted, request, Deno.upgradeWebSocket, given);
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
