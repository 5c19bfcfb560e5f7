import { described, nameOf } from "../http/described.ts";
import { isMethod, methods } from "../http/method.ts";
import { useWrapping, type Call, type Calls, type Layer, type ResourceLayer, type WrappingClass } from "./layer.ts";
import { callOf, restoreParams } from "./passed-on.ts";

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

type Handlers = Readonly<Record<string, ((this: Middleware, input: unknown) => unknown) | undefined>>;

useWrapping({
  Base: Middleware,
  wrap: (Class, inner, calls) => new MiddlewareLayer(constructed(Class), inner, calls),
});

/** A middleware and what it wraps. */
export class MiddlewareLayer implements Layer {
  readonly name: string;
  readonly target: ResourceLayer | null;
  readonly #middleware: Middleware;
  readonly #inner: Layer;
  readonly #calls: Calls;
  /** Inputs that outer middleware passed on to this one: it may hold them for long, while others are handled. */
  readonly #given = new WeakMap<object, Call>();

  constructor(middleware: Middleware, inner: Layer, calls: Calls) {
    this.name = nameOf(middleware.constructor);
    this.target = inner.target;
    this.#middleware = middleware;
    this.#inner = inner;
    this.#calls = calls;
    place(middleware, this);
  }

  run(input: object, call: Call): unknown {
    const handlers = this.#middleware as unknown as Handlers;
    const handler = (isMethod(call.method) ? handlers[call.method] : undefined) ?? handlers["ALL"];
    if (handler === undefined) return this.#inner.run(input, call);
    if (call.isPassedOn) this.#given.set(input, call);
    const calls = this.#calls;
    const { current: outerCall, input: outerInput } = calls;
    calls.current = call;
    calls.input = input;
    try {
      return handler.call(this.#middleware, input);
    } finally {
      calls.current = outerCall;
      calls.input = outerInput;
    }
  }

  next(input: unknown): unknown {
    if (input === null || (typeof input !== "object" && typeof input !== "function")) {
      throw new TypeError(`Cannot continue after next() of ${this.name}: expected an input, got ${described(input)}`);
    }
    const call = this.#callOf(input);
    if (this.target !== null) {
      if (call.refusal !== null) throw call.refusal;
      if (call.target !== this.target) throw elsewhere(this.name, this.target, call.target!);
    }
    restoreParams(input, call);
    const result = this.#inner.run(input, call);
    return isThenable(result) ? this.#settled(result, call) : this.#value(result, call);
  }

  errorFields(input: object): Headers {
    return this.#callOf(input).errorFields;
  }

  resourceOf(input: object): object | null {
    const { refusal, target } = this.#callOf(input);
    return refusal === null && target !== null ? target.resource : null;
  }

  #callOf(input: object): Call {
    return callOf(input, this, this.#calls, this.#given);
  }

  async #settled(result: PromiseLike<unknown>, call: Call): Promise<unknown> {
    return this.#value(await result, call);
  }

  #value(result: unknown, { method, target }: Call): unknown {
    if (result !== undefined && result !== null) return result;
    const { name } = this.#inner.target === null ? (target ?? this.#inner) : this.#inner;
    throw new TypeError(`Cannot continue after next(): ${method.slice(0, 80)} of ${name} returned no value`);
  }
}

function constructed(Class: WrappingClass): Middleware {
  const middleware: unknown = new Class();
  if (!(middleware instanceof Middleware)) {
    throw new TypeError(`Cannot add ${nameOf(Class)} as middleware: its constructor returned ${described(middleware)}`);
  }
  let isHandling = false;
  for (const name of ["ALL", ...methods] as const) {
    const handler = (middleware as Middleware & { readonly [name: string]: unknown })[name];
    isHandling ||= handler !== undefined;
    if (handler !== undefined && typeof handler !== "function") {
      throw new TypeError(
        `Cannot add ${nameOf(Class)} as middleware: its ${name} must be a method, got ${described(handler)}`,
      );
    }
  }
  const other = isHandling ? undefined : ownMethodOf(middleware);
  if (other === undefined) return middleware;
  // A guard whose handler has another name would let everything through.
  throw new TypeError(
    `Cannot add ${nameOf(Class)} as middleware: it has ${other}() and no handler, so that everything would pass; write ALL()`,
  );
}

/** The name of a method that its class has, or a base class of that below `Middleware`. */
function ownMethodOf(middleware: Middleware): string | undefined {
  for (let part: object = middleware; part !== Middleware.prototype; part = Object.getPrototypeOf(part) as object) {
    const found = Object.entries(Object.getOwnPropertyDescriptors(part)).find(
      ([name, { value }]) => name !== "constructor" && typeof value === "function",
    );
    if (found !== undefined) return found[0];
  }
  return undefined;
}

/** There is an instance for each resource: that of another may have other guards around it, or none. */
function elsewhere(name: string, wrapped: ResourceLayer, target: ResourceLayer): TypeError {
  return new TypeError(
    `Cannot continue after next() of ${name}: it wraps ${wrapped.name}, and the input came in for ${target.name}; ` +
      "call next() of the instance that was given it",
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && typeof (value as { then?: unknown }).then === "function";
}
