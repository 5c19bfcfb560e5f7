import { finished } from "../http/answer/carried-answer.ts";
import { exchangesOf, exchanging } from "./input-exchange.ts";
import { attachParams } from "./input.ts";
import type { MountedMiddleware, MountedResource, RequestRunner } from "./mounted-resource.ts";
import type { Params } from "./params.ts";

/**
 * Leads a request that a handler has made to another handler of the same resource, and waits for the response. It
 * belongs to the request that came in: attributes and error fields find it.
 * @param chain the middleware that it goes through: see `chainBesides()`.
 */
export async function runFurther(
  dispatcher: Pick<RequestRunner, "responseOf">,
  mounted: MountedResource,
  cameIn: { readonly params: Params },
  further: { readonly url: string; readonly method: string },
  chain: readonly MountedMiddleware[],
): Promise<unknown> {
  const outer = exchangesOf(cameIn).findLast((one) => one.mounted === mounted);
  if (outer === undefined) {
    attachParams(further, cameIn.params);
    return finished(await mounted.handlers[further.method]!.call(mounted.resource, further), dispatcher);
  }
  const { found, around, first, params } = outer;
  const exchange = exchanging.begin!(further, further.method, found, further.url, around, first, params, chain);
  return finished(await exchange.run(0), dispatcher);
}

/**
 * Returns a chain for a method. Middleware in it passes the request on, if its handler ran for another method before.
 */
export function chainBesides(
  chain: readonly MountedMiddleware[],
  method: string,
  before: readonly string[],
): readonly MountedMiddleware[] {
  return chain.map((mounted) => {
    // Methods without a handler of their own share `ALL`, or none.
    const ownHandlerOf = (name: string): unknown => mounted.handlers[name] ?? null;
    const hasRun = before.some((name) => ownHandlerOf(name) === ownHandlerOf(method));
    return hasRun ? { ...mounted, handlers: nothing } : mounted;
  });
}

const nothing: MountedMiddleware["handlers"] = Object.freeze(Object.setPrototypeOf({}, null));
