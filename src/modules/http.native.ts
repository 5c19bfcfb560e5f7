import { ApplicationBuilder } from "../core/application-builder.ts";
import { Application as CoreApplication, type Parts } from "../core/application.ts";
import { Middleware as CoreMiddleware } from "../core/middleware.ts";
import type { Params, ParamsOf } from "../core/params.ts";
import { Resource as CoreResource } from "../core/resource.ts";
import { reportServerFault, respond, type OnError } from "../core/respond.ts";
import type { Routed } from "../routing/path-param-names.ts";

export { Attribute } from "../core/attribute.ts";
export type { Input } from "../core/input.ts";
export type { Decision, ResourceModel } from "../core/inspect.ts";
export { ResourceGroup } from "../core/resource-group.ts";
export type { MiddlewareClass } from "../core/target.ts";
export { HTTPError, type HTTPErrorOptions } from "../http/http-error.ts";
export type { Method } from "../http/method.ts";
export { Status, type StatusConstant } from "../http/status.ts";
export type { PathPatternError } from "../routing/path-pattern-error.ts";
export type { PathPattern, PathSegment } from "../routing/path-pattern.ts";
export type { OnError, Params, ParamsOf, Routed };

/** A resource whose handlers take a `Request` and return a `Response`. */
export class Resource extends CoreResource<Response | Promise<Response>> {}

/** A resource around a resource: `next()` gives the `Response`, or a Promise of it. */
export type Middleware = CoreMiddleware<Response | Promise<Response>>;

/** A resource around a resource: `next()` gives the `Response`, or a Promise of it. */
export const Middleware: { new (): Middleware; readonly prototype: Middleware } = CoreMiddleware;

/**
 * What handlers of a resource are given: a `Request` with the params that its `paths` name, if they are written `as const`.
 *
 * @typeParam Of the resource class; without it, any param may be asked for.
 * @typeParam Prefix the prefixes of the groups around it, if they hold params.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:id"] as const;
 *
 *   GET(request: RequestOf<Book>): Response {
 *     return new Response(request.params.pathParam("id"));
 *   }
 * }
 * ```
 */
export type RequestOf<Of extends Routed = Routed, Prefix extends string = never> = RoutedRequest<ParamsOf<Of, Prefix>>;

/** A `Request` that was handled. */
export interface RoutedRequest<Values extends Params> extends Request {
  readonly params: Values;
}

/** An application for runtimes with Web `Request` and `Response`. */
export class Application extends CoreApplication {
  declare readonly handle: (input: unknown) => Promise<Response>;
  readonly #onError: OnError;

  constructor(parts: Parts, onError: OnError) {
    super(parts);
    this.#onError = onError;
  }

  /** Begins an application. */
  static builder(): NativeApplicationBuilder {
    return new NativeApplicationBuilder();
  }

  /**
   * Answers a request, errors included: never rejects, and always fulfills with a `Response` (C2.8, C7.3).
   *
   * It is bound, so that `export default app`, `Deno.serve(app.fetch)` and `Bun.serve(app)` work. What a runtime passes
   * behind the request is ignored.
   */
  readonly fetch = (request: Request, ..._rest: unknown[]): Promise<Response> => respond(this, request, this.#onError);
}

class NativeApplicationBuilder extends ApplicationBuilder<Application> {
  #onError: OnError = reportServerFault;

  constructor() {
    super({ Resource, create: (parts) => new Application(parts, this.#onError) });
  }

  /** Has a function observe every error that `fetch` meets; a `Response` that it returns is the answer. */
  onError(onError: OnError): this {
    if (typeof onError !== "function") throw new TypeError("Cannot observe errors: expected a function in onError()");
    this.#onError = onError;
    return this;
  }
}
