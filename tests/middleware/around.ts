// Applications with middleware around one resource, which answers every method by one function.
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import type { NodeContext } from "fingerpost/node";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import { methods, type Method } from "../../src/http/protocol/method.ts";

type Params = { readonly params: native.Params };

export type NativeInput = Request & Params;
export type Context = NodeContext & Params;

const paths = ["/items/:id?"];

/** By the native chain; errors that `fetch` meets are given to a function, or to nobody. */
export function nativeAround(
  middleware: MiddlewareClass | readonly MiddlewareClass[],
  handler: (request: NativeInput) => unknown = () => new Response("reached"),
  onError: (error: unknown) => void = () => {},
  implemented: readonly Method[] = methods,
): native.Application {
  class Items extends native.Resource {
    paths = paths;
  }
  for (const method of implemented) Object.assign(Items.prototype, { [method]: handler });
  const group = native.ResourceGroup.builder().resources(Items);
  return native.Application.builder()
    .resources(group.middleware(...[middleware].flat()).build())
    .onError(onError)
    .build();
}

/** By the polyfill chain. */
export function polyfillAround(
  middleware: MiddlewareClass | readonly MiddlewareClass[],
  handler: (context: Context) => unknown = ({ response }) => response.end("reached"),
  implemented: readonly Method[] = methods,
): polyfill.Application {
  class Items extends polyfill.Resource {
    paths = paths;
  }
  for (const method of implemented) Object.assign(Items.prototype, { [method]: handler });
  const group = polyfill.ResourceGroup.builder().resources(Items);
  return polyfill.Application.builder()
    .resources(group.middleware(...[middleware].flat()).build())
    .build();
}

/** A request for the resource. */
export function requestFor(init: RequestInit & { readonly duplex?: "half" } = {}, path = "/items"): Request {
  return new Request(`http://localhost${path}`, init);
}

/** What a factory refuses its options with. */
export function refusalOf(create: () => unknown): string {
  try {
    create();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  throw new Error("expected the options to be refused");
}
