import type { Bytes } from "../http/javascript/bytes.ts";
import type { ClientSocket } from "../sockets/client-socket.ts";
import { connectTo } from "../sockets/connecting.ts";
import { FetchApplication, FetchApplicationBuilder, type HandshakeOptions } from "./fetch-application.ts";
import { requestTo } from "./request-options.ts";
import { Middleware as CoreMiddleware, type MiddlewareClass } from "./middleware.ts";
import type { Params, ParamsOf } from "../dispatch/params.ts";
import type { ResourceClass } from "./grouped-resources.ts";
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

/**
 * An application for runtimes with Web `Request` and `Response`: resources that are ready to answer.
 *
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   GET(request: RequestOf<Greeting>): Response {
 *     return new Response(`Hello, ${request.params.pathParam("name")}`);
 *   }
 * }
 * const app = Application.builder().resources(Greeting).build();
 * const response = await app.request("/hello/Ada");
 * console.log(response.status, await response.text()); // 200 Hello, Ada
 * ```
 */
export class Application extends FetchApplication {
  /**
   * Calls the handler of a request, and fulfills with its result.
   *
   * Rejects with the error that the handler threw, unlike `fetch`, which never rejects. Bound.
   *
   * @throws {HTTPError} 404 when no resource has a pattern that matches the path.
   * @throws {HTTPError} 501 when the resource does not implement the method, or the method is not one that a resource
   * can implement (RFC 9110 §9.1).
   * @throws {HTTPError} 400 when the URL cannot be parsed, 414 when its path is longer than 8,192 characters.
   * @throws {TypeError} when the input is not an object with strings `url` and `method`, or cannot carry `params`.
   */
  declare readonly handle: (input: unknown) => Promise<Response>;

  /**
   * Connects to a resource that answers by `upgrade()`, and returns the end of the client: for tests, without a server.
   *
   * @throws {HTTPError} with the status of the answer, if it is not 101. The `cause` is the `Response`.
   * @throws {TypeError} when an option is unknown, or the path does not make a valid `Request`.
   * @example
   * ```ts
   * import { upgrade } from "fingerpost/native/content";
   *
   * class Echo extends Resource {
   *   paths = ["/echo"] as const;
   *   GET(request: Request): Response {
   *     return upgrade(request, { message: (peer, message) => peer.send(message) });
   *   }
   * }
   * const app = Application.builder().resources(Echo).build();
   * const echo = await app.connect("/echo");
   * echo.send("Hello");
   * console.log((await echo.next()).value); // Hello
   * ```
   */
  async connect(
    path: string,
    options: HandshakeOptions = {},
  ): Promise<ClientSocket<string | Bytes, string | Uint8Array>> {
    return connectTo(this.fetch, requestTo(path, options));
  }

  /** Begins an application. */
  static builder(): ApplicationBuilder {
    return new FetchApplicationBuilder({ Resource, create: (parts, onError) => new Application(parts, onError) });
  }
}

/** Collects the parts of an application, and builds it: the result of `Application.builder()`. */
export interface ApplicationBuilder extends FetchApplicationBuilder<
  Application,
  ResourceClass & Pick<typeof Resource, "httpModule">
> {}
