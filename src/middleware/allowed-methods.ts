import { unimplemented } from "../application/application-model.ts";
import { Middleware, restrictionOf, type MiddlewareClass } from "../application/middleware.ts";
import { isResponseLike } from "../dispatch/fetch-response.ts";
import {
  makesHead,
  mount,
  type Handler,
  type MountedMiddleware,
  type MountedResource,
  type MountPoint,
} from "../dispatch/mounted-resource.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { methods, type Method } from "../http/protocol/method.ts";
import { Status } from "../http/protocol/status.ts";
import { discard } from "../http/message/discarded-content.ts";
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
 * Add it to the application. In a group it is for the resources of the group. `allowedMethods().on("HEAD")` answers HEAD
 * only, and leaves all other methods at 501.
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

const mountMiddleware = Reflect.get(Middleware, mount) as (this: unknown, point: MountPoint) => MountedMiddleware;

/** The common base of the classes, so that each of them is mounted by it. */
class Allowing extends Middleware {
  static readonly answers = { 405: "The resource does not have the method; Allow lists those that it has" };

  static {
    Object.defineProperty(this, makesHead, {
      get(this: object): boolean {
        return isFor("HEAD", this);
      },
    });
    Object.defineProperty(this, mount, {
      value(this: new () => object, point: MountPoint): MountedMiddleware {
        const mounted = mountMiddleware.call(this, point);
        const { resources } = point.dispatcher;
        const added = methods.filter((method) => isFor(method, this));
        for (const resource of point.wraps === null ? resources : [point.wraps])
          complete(resource, mounted.middleware as Middleware, added);
        return mounted;
      },
    });
    // What is restricted to a method must have a handler of it. There is nothing to do but for HEAD.
    Object.defineProperty(this.prototype, "ALL", {
      get(this: Middleware): Handler | undefined {
        return restrictionOf(this.constructor) && passOn;
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

function isFor(method: Method, Class: object): boolean {
  return restrictionOf(Class)?.includes(method) ?? true;
}

function passOn(this: object, input: unknown): unknown {
  return (this as Middleware).next(input);
}

/** By resource: the methods that it allows. It may be wrapped several times, each time for other methods. */
const allowing = new WeakMap<MountedResource, Set<string>>();

/** Adds handlers to a resource for methods that it does not implement, which run where those would: after all middleware. */
function complete(mounted: MountedResource, middleware: Middleware, added: readonly Method[]): void {
  const names = allowing.get(mounted) ?? begun(mounted);
  const handlers = Object.setPrototypeOf({ ...mounted.handlers }, null) as Record<string, Handler | null>;
  const GET = names.has("GET") ? handlers["GET"]! : null;
  for (const method of added) {
    if (names.has(method)) continue;
    const answer = method === "HEAD" ? GET : method === "OPTIONS" ? describe : null;
    if (answer !== null) names.add(method);
    handlers[method] = answer ?? refuse;
  }
  mounted.handlers = handlers;

  function refuse(): never {
    throw new HTTPError(Status.MethodNotAllowed, undefined, { headers: { allow: listOf(names) } });
  }

  function describe(input: unknown): unknown {
    return answerWith(middleware, input as object, Status.NoContent, (fields) => fields.set("Allow", listOf(names)));
  }
}

/** Begins to complete a resource: it allows the methods that its class implements. */
function begun(mounted: MountedResource): Set<string> {
  const { name, methods: own } = mounted;
  const names = new Set(own);
  allowing.set(mounted, names);
  // Tools list the methods that the class implements.
  Object.defineProperty(mounted, "methods", { value: own, configurable: true });
  mounted.refusalOf ??= (method) => {
    if (names.has(method)) return null;
    if (!mounted.handlers[method]) return unimplemented(name, method);
    return { status: Status.MethodNotAllowed, reason: `${name} allows ${listOf(names)}` };
  };
  return names;
}

function listOf(names: ReadonlySet<string>): string {
  return [...names].toSorted().join(", ");
}
