import { described, nameOf } from "../http/described.ts";
import { methods } from "../http/method.ts";
import { checkHandlers } from "./handler-check.ts";
import { useWrapping, wrappingClass, type WrappingClass } from "./layer.ts";
import { MiddlewareLayer } from "./middleware-layer.ts";

let place: (middleware: Middleware, layer: MiddlewareLayer) => void;

/**
 * A resource around a resource: it sees an input before what it wraps does, and the result after it.
 *
 * A subclass implements `ALL`, or single methods; a single method wins over `ALL`, and what it implements neither way
 * passes through. There is one instance for each wrapped resource of an application, or one if it wraps the application.
 *
 * @example
 * ```ts
 * class Signature extends Middleware {
 *   async ALL(request: Request): Promise<Response> {
 *     const response = await this.next(request);
 *     response.headers.set("x-served-by", "fingerpost");
 *     return response;
 *   }
 * }
 * ```
 */
export class Middleware<Result = unknown> {
  #layer: MiddlewareLayer | null = null;

  static {
    place = (middleware, layer) => {
      if (middleware.#layer !== null) {
        throw new TypeError(
          `Cannot add ${layer.name} as middleware: its constructor returned an instance that wraps something already; ` +
            "keep what several share outside of the class",
        );
      }
      middleware.#layer = layer;
    };
    // What a middleware leaves out is not looked for on Object.prototype, where other code may have put something.
    for (const name of ["ALL", ...methods]) {
      Object.defineProperty(this.prototype, name, { value: undefined, writable: true, configurable: true });
    }
  }

  /** Is called for each method that the subclass does not implement by its name. */
  ALL?(input: unknown): Result;
  /** Is called for CONNECT, in place of `ALL`. */
  CONNECT?(input: unknown): Result;
  /** Is called for DELETE, in place of `ALL`. */
  DELETE?(input: unknown): Result;
  /** Is called for GET, in place of `ALL`. */
  GET?(input: unknown): Result;
  /** Is called for HEAD, in place of `ALL`. */
  HEAD?(input: unknown): Result;
  /** Is called for OPTIONS, in place of `ALL`. */
  OPTIONS?(input: unknown): Result;
  /** Is called for PATCH, in place of `ALL`. */
  PATCH?(input: unknown): Result;
  /** Is called for POST, in place of `ALL`. */
  POST?(input: unknown): Result;
  /** Is called for PUT, in place of `ALL`. */
  PUT?(input: unknown): Result;
  /** Is called for TRACE, in place of `ALL`. */
  TRACE?(input: unknown): Result;

  /**
   * Calls what this middleware wraps, and returns its result: a Promise if that is one.
   *
   * Another input may be passed on instead; it gets the `params` of the one that came in.
   *
   * @throws {TypeError} when the result is `undefined` or `null`: a wrapped handler must return a value (C5.2).
   */
  next(input: unknown): Result {
    return this.#placed("next()").next(input) as Result;
  }

  /**
   * Header fields for the response that the application makes from an error, should this call end in one (C5.7).
   *
   * A middleware that adds fields to the responses of `next()` adds them here first, so that they are not lost when it
   * throws. Where the input carries a response of its own, as contexts do, set them on that instead.
   */
  errorFields(input: object): Headers {
    return this.#placed("errorFields()").errorFields(input);
  }

  /**
   * The resource that the handler of this call belongs to; null where no handler can be called, as with 404.
   *
   * @typeParam Declared what a resource may declare by properties for this middleware; it may lack any of it.
   */
  resourceOf<Declared extends object = Record<string, unknown>>(input: object): Readonly<Partial<Declared>> | null {
    return this.#placed("resourceOf()").resourceOf(input) as Readonly<Partial<Declared>> | null;
  }

  #placed(method: string): MiddlewareLayer {
    if (this.#layer !== null) return this.#layer;
    const name = nameOf(this.constructor);
    throw new TypeError(`Cannot call ${method} of ${name}: it wraps nothing; pass its class to middleware()`);
  }
}

useWrapping({
  Base: Middleware,
  wrap(Class, inner, calls) {
    // Groups of another copy of the package come with classes that nothing here has looked at.
    const middleware = constructed(wrappingClass(Class));
    const layer = new MiddlewareLayer(middleware, inner, calls);
    place(middleware, layer);
    return layer;
  },
});

function constructed(Class: WrappingClass): Middleware {
  const middleware: unknown = new Class();
  if (!(middleware instanceof Middleware)) {
    throw new TypeError(`Cannot add ${nameOf(Class)} as middleware: its constructor returned ${described(middleware)}`);
  }
  checkHandlers(middleware, nameOf(Class), Middleware.prototype);
  return middleware;
}
