import { mount, type MountedMiddleware, type MountPoint, type RequestRunner } from "../dispatch/mounted-resource.ts";
import type { MiddlewareClass } from "./middleware.ts";
import { Middleware, type RequestOf } from "./native.ts";

/** The application that a request came to. A mock has the same resource as the application that it stands for. */
const runners = new WeakMap<object, RequestRunner>();
const runnerAt = new WeakMap<object, RequestRunner>();

class PlaceFinder extends Middleware {
  static [mount](point: MountPoint): MountedMiddleware {
    const mounted = (Middleware as unknown as Mounting)[mount].call(this, point);
    runnerAt.set(mounted.middleware, point.dispatcher);
    return mounted;
  }

  override ALL(request: unknown): Promise<Response> | Response {
    runners.set(request as RequestOf, runnerAt.get(this)!);
    return this.next(request as RequestOf);
  }
}
interface Mounting {
  [mount](this: unknown, point: MountPoint): MountedMiddleware;
}

/**
 * Middleware around a resource that reads its application. A class must be a subclass of the one that knows how to be
 * mounted.
 */
export const ApplicationFinder: MiddlewareClass = class ApplicationFinder extends PlaceFinder {};

/** Returns what answers the requests of the application that a request came to, by way of `ApplicationFinder`. */
export function applicationOf(request: object): RequestRunner {
  return runners.get(request)!;
}
