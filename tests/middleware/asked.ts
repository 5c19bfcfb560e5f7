// What tests of middleware need: an application of each chain with one resource, and requests to it.
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { ResourceGroup } from "fingerpost/modules/http.native.js";
import type { Params } from "../../src/dispatch/params.ts";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import type { NodeContext } from "../../src/servers/node.ts";
import { ask, started, type Answer } from "../support/sockets.ts";

type Handlers = Readonly<Record<string, unknown>>;

/** What a handler of the native chain is given. */
export type NativeInput = Request & { readonly params: Params };

/** A way to send a request to an application. */
export type Ask = (init?: RequestInit & { readonly path?: string }) => Promise<Response>;

/**
 * Sends requests to an application of the native chain: one resource at `/` with these handlers and other members, in
 * this middleware, the first outermost. Another path is 404, a method without a handler 501.
 */
export function asked(handlers: Handlers, ...middleware: readonly MiddlewareClass[]): Ask {
  const app = native.Application.builder()
    .resources(resource(handlers))
    .middleware(...middleware)
    .onError(() => {})
    .build();
  return sending(app);
}

/** The same, but the middleware hangs on the resource. */
export function askedInGroup(handlers: Handlers, ...middleware: readonly MiddlewareClass[]): Ask {
  const group = ResourceGroup.builder()
    .resources(resource(handlers))
    .middleware(...middleware)
    .build();
  return sending(
    native.Application.builder()
      .resources(group)
      .onError(() => {})
      .build(),
  );
}

/** Sends a request over a socket to an application of the polyfill chain that is made in the same way. */
export async function askedOnNode(
  request: { method?: string; path?: string; headers?: Record<string, string> },
  handlers: Readonly<Record<string, (context: NodeContext & { readonly params: Params }) => unknown>>,
  ...middleware: readonly MiddlewareClass[]
): Promise<Answer> {
  class Thing extends polyfill.Resource {
    override paths = ["/"];
  }
  Object.assign(Thing.prototype, handlers);
  const app = polyfill.Application.builder()
    .resources(Thing)
    .middleware(...middleware)
    .build();
  return ask(await started(app, { onError: () => {} }), request);
}

function resource(handlers: Handlers): new () => native.Resource {
  return class Thing extends native.Resource {
    override paths = ["/"];

    constructor() {
      super();
      Object.assign(this, handlers);
    }
  };
}

function sending(app: native.Application): Ask {
  return ({ path = "/", ...init } = {}) => app.fetch(new Request(`https://example.com${path}`, init));
}
