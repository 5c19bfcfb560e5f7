import type { FieldsAdder } from "../dispatch/exchange.ts";
import { exchangeFor, exchanging } from "../dispatch/input-exchange.ts";
import { addErrorFields, errorHeaders, next, resourceOf } from "../dispatch/next.ts";
import {
  addLate,
  mount,
  nextAnswer,
  passesAnswers,
  type Handler,
  type Handlers,
  type MountedMiddleware,
  type MountPoint,
} from "../dispatch/mounted-resource.ts";
import { described, nameOf } from "../http/javascript/described.ts";
import { methods, type Method } from "../http/protocol/method.ts";
import { checkHandlers } from "./handler-check.ts";

/** A middleware class of any module. Factories such as `cors()` return one, and `middleware()` accepts it. */
export interface MiddlewareClass {
  new (): Middleware;
  /**
   * Returns a class of the same name that runs for these methods only; other methods pass through. QUERY is a method of
   * the semantics module only.
   *
   * @throws {TypeError} when a name is not a method, or none is given.
   */
  on(...names: readonly (Method | "QUERY")[]): MiddlewareClass;
}

/** Names the list of methods that a class is restricted to. */
const restriction = Symbol("restriction");

/**
 * Runs before and after the handlers that it wraps. Call `next()` to go on.
 *
 * A subclass implements `ALL`, or single methods. A single method wins over `ALL`, and other methods pass through. An
 * application has one instance for each wrapped resource, or one instance if the middleware wraps the application.
 *
 * @example
 * ```ts
 * class Signature extends Middleware {
 *   async ALL(request: Request): Promise<Response> {
 *     const given = await this.next(request);
 *     const response = new Response(given.body, given);
 *     response.headers.set("x-served-by", "fingerpost");
 *     return response;
 *   }
 * }
 * ```
 */
export class Middleware<Result = unknown> {
  #mounted: MountedMiddleware | null = null;

  static {
    // A missing handler must not be read from Object.prototype, where other code may have put something.
    for (const name of ["ALL", "QUERY", ...methods]) {
      Object.defineProperty(this.prototype, name, { value: undefined, writable: true, configurable: true });
    }
    Object.defineProperty(this.prototype, addLate, {
      value(this: Middleware, input: object, add: FieldsAdder): void {
        if (this.#mounted === null) throw unplaced(this, "errorHeaders()");
        addErrorFields(this.#mounted, input, add);
      },
    });
    Object.defineProperty(this.prototype, nextAnswer, {
      value(this: Middleware, input: object): unknown {
        if (this.#mounted === null) throw unplaced(this, "next()");
        return next(this.#mounted, input, undefined, this.#mounted.isPassing);
      },
    });
    Object.defineProperty(this, mount, {
      value(this: new () => object, point: MountPoint): MountedMiddleware {
        exchanging.begin = exchangeFor;
        const name = nameOf(this);
        const middleware = constructed(this, name, point.headRunsGet);
        const handlers = handlersOf(middleware, name, restrictionOf(this), point.headRunsGet);
        // Not a subclass, nor a class that somebody has changed: their results are for users.
        const isPassing = Object.hasOwn(this, passesAnswers) && Reflect.get(this, passesAnswers) === middleware.ALL;
        if (middleware.#mounted === null)
          return (middleware.#mounted = { ...point, name, middleware, handlers, isPassing });
        throw new TypeError(
          `Cannot add ${name} as middleware: its constructor returned an instance that wraps something already; ` +
            "keep what several share outside of the class",
        );
      },
    });
  }

  /**
   * Returns a class of the same name that runs for these methods only. Other methods pass through.
   *
   * A subclass of that class, and a further `on()`, can only remove methods.
   *
   * @throws {TypeError} when a name is not a method, none is given, or the class is restricted to others already.
   * @example
   * ```ts
   * class Closed extends Middleware {
   *   ALL(): never {
   *     throw new HTTPError(503);
   *   }
   * }
   * const app = Application.builder().middleware(Closed.on("POST", "PUT")).build();
   * ```
   */
  static on<Class extends MiddlewareClass>(this: Class, ...names: readonly (Method | "QUERY")[]): Class {
    const possible = restrictionOf(this) ?? [...methods, "QUERY" as const];
    const other = names.find((name) => !possible.includes(name));
    if (names.length === 0 || other !== undefined) {
      const got = names.length === 0 ? "none" : described(other);
      throw new TypeError(
        `Cannot restrict ${nameOf(this)} to methods: expected some of ${possible.join(", ")}, got ${got}`,
      );
    }
    const Restricted = class extends (this as MiddlewareClass as typeof Middleware) {};
    Object.defineProperty(Restricted, "name", { value: this.name });
    Object.defineProperty(Restricted, restriction, { value: names });
    // The restricted class inherits the handlers, so it passes answers on as the class does.
    if (Object.hasOwn(this, passesAnswers)) passing(Restricted);
    return Restricted as MiddlewareClass as Class;
  }

  /** Handles each method that the subclass does not implement by name. */
  ALL?(input: unknown): Result;
  /** Handles CONNECT instead of `ALL`. */
  CONNECT?(input: unknown): Result;
  /** Handles DELETE instead of `ALL`. */
  DELETE?(input: unknown): Result;
  /** Handles GET instead of `ALL`. */
  GET?(input: unknown): Result;
  /** Handles HEAD instead of `ALL`. */
  HEAD?(input: unknown): Result;
  /** Handles OPTIONS instead of `ALL`. */
  OPTIONS?(input: unknown): Result;
  /** Handles PATCH instead of `ALL`. */
  PATCH?(input: unknown): Result;
  /** Handles POST instead of `ALL`. */
  POST?(input: unknown): Result;
  /** Handles PUT instead of `ALL`. */
  PUT?(input: unknown): Result;
  /** Handles QUERY instead of `ALL`: a method of the semantics chain. */
  QUERY?(input: unknown): Result;
  /** Handles TRACE instead of `ALL`. */
  TRACE?(input: unknown): Result;

  /**
   * Calls the wrapped handler or middleware, and returns its result, or a Promise of it.
   *
   * @param input the input that this middleware was given.
   * @param replacement another input, which what it wraps is given instead. It gets the same `params` and belongs to
   * the same request: error fields, attributes and `resourceOf()` find it. Around a resource it reaches that resource,
   * by its own method. Around the application its own URL and method decide.
   * @throws {TypeError} when the result is `undefined` or `null`: a wrapped handler must return a value.
   * @throws {TypeError} when the input did not come in here, or the replacement belongs to another request.
   */
  next(input: unknown, replacement?: unknown): Result {
    if (this.#mounted === null) throw unplaced(this, "next()");
    return next(this.#mounted, input, replacement) as Result;
  }

  /**
   * Returns the headers that an error response of this request gets.
   *
   * If you add headers to the response of `next()`, add them here first, because `next()` may throw. If the input
   * carries a response of its own, as contexts do, set the headers there instead.
   *
   * @throws {TypeError} when the input did not come in here.
   */
  errorHeaders(input: object): Headers {
    if (this.#mounted === null) throw unplaced(this, "errorHeaders()");
    return errorHeaders(this.#mounted, input);
  }

  /**
   * Returns the resource of this request; null if no resource matches, as with 404.
   *
   * @typeParam Declared what a resource may declare by properties for this middleware; it may lack any of it.
   * @throws {TypeError} when the input did not come in here.
   */
  resourceOf<Declared extends object = Record<string, unknown>>(input: object): Readonly<Partial<Declared>> | null {
    if (this.#mounted === null) throw unplaced(this, "resourceOf()");
    return resourceOf(this.#mounted, input) as Readonly<Partial<Declared>> | null;
  }
}

/**
 * Marks a class of this package whose `ALL()` passes on what `nextAnswer` gave, and looks at it no more than
 * `withFields()` does.
 */
export function passing<Class extends MiddlewareClass>(Class: Class): Class {
  return Object.defineProperty(Class, passesAnswers, { value: Class.prototype.ALL });
}

function unplaced({ constructor }: Middleware, call: string): TypeError {
  return new TypeError(
    `Cannot call ${call} of ${nameOf(constructor)}: it wraps nothing; pass its class to middleware()`,
  );
}

function constructed(Class: new () => object, name: string, headRunsGet: boolean | undefined): Middleware {
  const middleware: unknown = new Class();
  if (!(middleware instanceof Middleware)) {
    throw new TypeError(`Cannot add ${name} as middleware: its constructor returned ${described(middleware)}`);
  }
  checkHandlers(middleware, name, Middleware.prototype, headRunsGet ? ["QUERY"] : []);
  return middleware;
}

/**
 * The handlers as they are now, by method or "ALL": what becomes of the instance later does not change the application.
 */
function handlersOf(
  middleware: Middleware,
  name: string,
  only: readonly (Method | "QUERY")[] | undefined,
  headRunsGet: boolean | undefined,
): Handlers {
  const handlers: Record<string, Handler> = Object.setPrototypeOf({}, null);
  for (const method of only ?? (["ALL", "QUERY", ...methods] as const)) {
    const handler = middleware[method] ?? (only && middleware.ALL);
    if (handler !== undefined) handlers[method] = handler as Handler;
    else if (only !== undefined) {
      throw new TypeError(
        `Cannot add ${name} as middleware: it is restricted to ${method} and has no such handler; write ALL()`,
      );
    }
  }
  if (headRunsGet) handlers["HEAD"] ??= handlers["GET"]!;
  return handlers;
}

export function restrictionOf(Class: object): readonly (Method | "QUERY")[] | undefined {
  return (Class as { readonly [restriction]?: readonly (Method | "QUERY")[] })[restriction];
}
