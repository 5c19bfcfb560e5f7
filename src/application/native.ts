import { Middleware as CoreMiddleware, type MiddlewareClass } from "./middleware.ts";
import type { Params, ParamsOf } from "../dispatch/params.ts";
import { Resource as CoreResource } from "./resource.ts";
import type { Method } from "../http/protocol/method.ts";
import type { Routed } from "../routing/pattern/path-param-names.ts";

/**
 * A resource whose handlers take a `Request` and return a `Response`, or a Promise of one.
 *
 * A subclass names its `paths` and implements methods. Other methods get 501.
 *
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name?"] as const;
 *
 *   GET({ params }: RequestOf<Greeting>): Response {
 *     return new Response(`Hello, ${params.pathParam("name") ?? "World"}`);
 *   }
 * }
 * ```
 */
export class Resource extends CoreResource<Response | Promise<Response>> {
  /** For the compiler only, which distinguishes the modules of resources with it. */
  declare static readonly httpModule?: "native";
}

/** Middleware, whose `next()` returns the `Response`, or a Promise of it. */
export type Middleware = CoreMiddleware<Response | Promise<Response>>;

/**
 * Runs before and after the handlers that it wraps. Call `next()` to go on.
 *
 * A subclass implements `ALL`, or single methods. A single method wins over `ALL`, and other methods pass through. An
 * application has one instance for each wrapped resource, or one instance if the middleware wraps the application.
 *
 * @example
 * ```ts
 * class Signature extends Middleware {
 *   async ALL(request: RequestOf): Promise<Response> {
 *     const given = await this.next(request);
 *     const response = new Response(given.body, given);
 *     response.headers.set("X-Served-By", "fingerpost");
 *     return response;
 *   }
 * }
 * ```
 */
export const Middleware: {
  new (): Middleware;
  readonly prototype: Middleware;
  /**
   * Restricts a class of middleware to methods: all others pass through. It returns another class of the same name.
   *
   * A subclass of that class, and a further `on()`, can only restrict it more.
   *
   * @throws {TypeError} when a name is not a method, none is given, or the class is restricted to others already.
   */
  on<Class extends MiddlewareClass>(this: Class, ...names: readonly (Method | "QUERY")[]): Class;
} = CoreMiddleware;

/**
 * What handlers of a resource are given: a `Request` with the params that its `paths` name, if they are written
 * `as const`.
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
  /** The values that path and query carry. */
  readonly params: Values;
}
