import { refusal } from "../http/http-error.ts";
import { methods, type Method } from "../http/method.ts";
import { notImplemented } from "../http/status-constant.ts";
import type { PathMatch } from "../routing/index/path-match.ts";
import { wrapped, type Call, type Calls, type Layer, type ResourceLayer, type WrappingClass } from "./layer.ts";
import type { Middleware } from "./middleware.ts";
import { Params } from "../dispatch/params.ts";
import { Resource } from "./resource.ts";

export type Handler = (this: object, input: unknown) => unknown;
/** A class of middleware, of either module: what `middleware()` takes and a factory of middleware returns. */
export type MiddlewareClass = new () => Middleware;

/** A resource of an application, and the middleware around it: what path patterns lead to. */
export class Target implements ResourceLayer {
  readonly name: string;
  readonly resource: Resource;
  /**
   * By method token: null for a method that is left to the default, nothing for what is no method.
   *
   * PERF: without a prototype, so that one look tells both: 8 to 16 % of what `handle()` adds, in three runs of four (`bench/handle`).
   * And not by `Object.create(null)`, of which V8 makes a dictionary: 5 to 8 %.
   */
  readonly handlers: Readonly<Record<string, Handler | null>>;
  /** Its path patterns, as they were written, prefixes included. */
  readonly patterns: string[] = [];
  /** The middleware classes, outermost first. */
  readonly middleware: readonly WrappingClass[];
  readonly target: ResourceLayer = this;
  /** The outermost layer around the resource; the target itself where there is no middleware. */
  entrance: Layer = this;

  /** Takes the handlers as they are now: what becomes of the instance later does not change the application. */
  constructor(resource: Resource, name: string, middleware: readonly WrappingClass[]) {
    this.name = name;
    this.resource = resource;
    const handlers: Record<string, Handler | null> = Object.setPrototypeOf({}, null);
    methods.forEach((method) => {
      const handler = resource[method];
      handlers[method] = handler === Resource.prototype[method] ? null : handler;
    });
    this.handlers = handlers;
    this.middleware = middleware;
  }

  /** The methods that are not left to the default. */
  get methods(): Method[] {
    return methods.filter((method) => this.handlers[method] !== null);
  }

  /** Puts the middleware around the resource: one instance of each class. */
  wrap(calls: Calls): void {
    this.entrance = wrapped(this, this.middleware, calls);
  }

  run(input: object, { method }: Call): unknown {
    const handler = this.handlers[method];
    if (!handler) throw refusal(notImplemented);
    return handler.call(this.resource, input);
  }
}

/** A path pattern of a target: what the index of an application holds. */
export class TargetPattern {
  readonly target: Target;
  #fixedParams: Params | null = null;

  constructor(target: Target) {
    this.target = target;
  }

  /**
   * PERF: a match without params or query reads the same for every request, so that nothing is allocated (`bench/handle`,
   * bytes per request). What is shared is frozen.
   */
  paramsOf(match: PathMatch<TargetPattern>, url: string): Params {
    if (!match.isFixed || url.includes("?")) return new Params(match, url);
    if (this.#fixedParams === null) Object.freeze((this.#fixedParams = new Params(match, "")));
    return this.#fixedParams;
  }
}
