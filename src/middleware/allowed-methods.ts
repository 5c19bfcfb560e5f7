import { completeMethods, withoutContent, type AddedAnswers } from "../application/completed-methods.ts";
import { Middleware, restrictionOf, type MiddlewareClass } from "../application/middleware.ts";
import {
  makesHead,
  mount,
  type Handler,
  type MountedMiddleware,
  type MountPoint,
} from "../dispatch/mounted-resource.ts";
import { methods, type Method } from "../http/protocol/method.ts";
import { Status } from "../http/protocol/status.ts";
import { answerWith } from "./lib/response-fields.ts";

/**
 * Makes middleware that answers the methods that a resource does not implement (RFC 9110 §9.1).
 *
 * HEAD is answered by `GET`, without the content. OPTIONS is 204 with `Allow`, and any other method gets 405 with
 * `Allow`. A method that the resource implements is left alone, and so is a method that HTTP does not have: that stays
 * 501.
 *
 * All middleware runs before these answers: a guard answers 401 or 403 first. For HEAD, a middleware runs its `HEAD()`,
 * else its `GET()`, else its `ALL()`: what guards GET guards HEAD.
 *
 * Add it to the application. In a group it is for the resources of the group. `allowedMethods().on("HEAD")` answers
 * HEAD only, and leaves all other methods at 501.
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
          completeMethods(resource, added, answersOf(mounted.middleware as Middleware));
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
    return withoutContent(await this.next(input));
  }
}

function isFor(method: Method, Class: object): boolean {
  return restrictionOf(Class)?.includes(method) ?? true;
}

function passOn(this: object, input: unknown): unknown {
  return (this as Middleware).next(input);
}

/** HEAD runs GET here; the middleware removes the content further out. */
function answersOf(middleware: Middleware): AddedAnswers {
  return {
    HEAD: (GET) => GET,
    OPTIONS: (input, allow) => answerWith(middleware, input, Status.NoContent, (fields) => fields.set("Allow", allow)),
  };
}
