import { unimplemented } from "../application/application-model.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { isResponseLike } from "../dispatch/fetch-response.ts";
import {
  makesHead,
  mount,
  type Handler,
  type MountedMiddleware,
  type MountedResource,
  type Place,
} from "../dispatch/mounted-resource.ts";
import { answerDescriptions } from "../http/answer-descriptions.ts";
import { HTTPError } from "../http/http-error.ts";
import { methods } from "../http/method.ts";
import { Status } from "../http/status.ts";
import { discard } from "../http/discard.ts";
import { answerWith } from "./lib/response-fields.ts";

/**
 * Makes middleware that answers the methods that a resource does not implement (RFC 9110 §9.1).
 *
 * HEAD is answered by `GET`, without the content. OPTIONS is 204 with `Allow`, and any other method is 405 with `Allow`. A method
 * that the resource implements is left alone, and so is a method that HTTP does not have: that stays 501.
 *
 * All middleware runs before these answers: a guard answers 401 or 403 first. For HEAD, a middleware runs its `HEAD()`, else its
 * `GET()`, else its `ALL()`: what guards GET guards HEAD.
 *
 * Add it to the application. In a group it is for the resources of the group.
 *
 * @throws {TypeError} never: there are no options.
 * @example
 * ```ts
 * class Motto extends Resource {
 *   paths = ["/motto"];
 *
 *   GET() {
 *     return new Response("Less is more");
 *   }
 * }
 * const app = Application.builder().resources(Motto).middleware(allowedMethods()).build();
 * const { status, headers } = await app.request("/motto", { method: "PUT" });
 * console.log(status, headers.get("Allow")); // 405 GET, HEAD, OPTIONS
 * ```
 */
export function allowedMethods(): MiddlewareClass {
  return class AllowedMethods extends Allowing {};
}

const mountMiddleware = Reflect.get(Middleware, mount) as (this: unknown, place: Place) => MountedMiddleware;

/** The common base of the classes, so that each of them is mounted by it. */
class Allowing extends Middleware {
  static readonly answers = { 405: answerDescriptions.notAllowed };

  static {
    Object.defineProperty(this, makesHead, { value: true });
    Object.defineProperty(this, mount, {
      value(this: new () => object, place: Place): MountedMiddleware {
        const mounted = mountMiddleware.call(this, place);
        const { resources } = place.dispatcher as { readonly resources: readonly MountedResource[] };
        const wrapped = place.wraps === null ? resources : [place.wraps];
        for (const resource of wrapped)
          if (!completed.has(resource)) complete(resource, mounted.middleware as Middleware);
        return mounted;
      },
    });
  }

  /** Removes the content after the middleware inside has seen it: entity tags and codings are the same as for GET. */
  override async HEAD(input: unknown): Promise<unknown> {
    const result = await this.next(input);
    if (!isResponseLike(result) || result.body === null) return result;
    const { status, statusText, headers } = result;
    discard(result);
    return new Response(null, { status, statusText, headers });
  }
}

/** The resources that have a handler for each method: they may be wrapped twice. */
const completed = new WeakSet<MountedResource>();

/** Adds handlers to a resource for the methods that it does not implement, which run where those would: after all middleware. */
function complete(mounted: MountedResource, middleware: Middleware): void {
  completed.add(mounted);
  const { methods: own } = mounted;
  const GET = mounted.handlers["GET"] ?? null;
  const names = new Set([...own, "OPTIONS", ...(GET === null ? [] : ["HEAD"])]);
  const allow = [...names].toSorted().join(", ");
  const handlers = Object.setPrototypeOf({}, null) as Record<string, Handler | null>;
  for (const method of methods) handlers[method] = mounted.handlers[method] ?? refuse;
  if (!own.includes("HEAD") && GET !== null) handlers["HEAD"] = GET;
  if (!own.includes("OPTIONS")) handlers["OPTIONS"] = describe;
  mounted.handlers = handlers;
  // Tools list the methods that the class implements.
  Object.defineProperty(mounted, "methods", { value: own, configurable: true });
  mounted.refusalOf ??= (method) => {
    if (names.has(method)) return null;
    if (handlers[method] === undefined) return unimplemented(mounted.name, method);
    return { status: Status.MethodNotAllowed, reason: `${mounted.name} allows ${allow}` };
  };

  function refuse(): never {
    throw new HTTPError(Status.MethodNotAllowed, undefined, { headers: { allow } });
  }

  function describe(input: unknown): unknown {
    return answerWith(middleware, input as object, Status.NoContent, (fields) => fields.set("Allow", allow));
  }
}
