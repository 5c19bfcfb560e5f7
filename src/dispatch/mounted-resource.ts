import type { AnswerReader } from "../http/answer/carried-answer.ts";
import { described, nameOf } from "../http/javascript/described.ts";
import { methods } from "../http/protocol/method.ts";
import type { StatusPair } from "../http/protocol/status-constant.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { PathPattern } from "../routing/pattern/path-pattern.ts";
import type { PathMatch } from "../routing/index/path-match.ts";
import type { PathProblem } from "../routing/request/target-path.ts";
import type { Problems } from "./error-response.ts";
import type { Input } from "./input.ts";
import { Params } from "./params.ts";

export type Handler = (this: object, input: unknown) => unknown;

/**
 * Handlers by method token: null for a method that is left to the default, `undefined` for an unknown method. Not made
 * by `Object.create(null)`, which V8 turns into a dictionary.
 * PERF: no prototype, so that one lookup answers both: 8 to 16 % of `handle()` (`node bench/handle.js`).
 */
export type Handlers = Readonly<Record<string, Handler | null>>;

/** A class of middleware, of either module. */
export type MountableClass = new () => object;

/**
 * Names the static method of `Middleware` that mounts a subclass of it. The class itself is not imported here, so that
 * programs without middleware do not contain it.
 */
export const mount: unique symbol = Symbol("mount");

/** Names the method of middleware that adds to `errorHeaders()` once somebody asks for them. */
export const addLate: unique symbol = Symbol("addLate");

/** Names the method of middleware that goes on as `next()` does, and may return an `Answer`. */
export const nextAnswer: unique symbol = Symbol("nextAnswer");

/**
 * Names the handler of a middleware class of this package that passes on what `nextAnswer` gave. A class that extends
 * it does not have the member itself.
 */
export const passesAnswers: unique symbol = Symbol("passesAnswers");

/**
 * Names the member of a middleware class that says whether it makes HEAD of GET. If one does, all middleware of the
 * application runs for HEAD as for GET.
 */
export const makesHead: unique symbol = Symbol("makesHead");

/**
 * Names the method of a resource by which it refuses to be built, if it cannot work at its patterns. It is given the
 * name of its class and the patterns, prefixes included.
 */
export const refuseAt: unique symbol = Symbol("refuseAt");

/**
 * Names the member of a resource of this package by which it answers the methods that it does not implement as its
 * application does. Resources of users keep the answers of their module.
 */
export const answersAlike: unique symbol = Symbol("answersAlike");

/**
 * Names the member of a resource that is about the application, such as its document and its probes, and says which it
 * is. Documents leave it out.
 */
export const describing: unique symbol = Symbol.for("fingerpost.describing") as never;

/**
 * Makes the instance of a class of middleware for one mount point. @throws {TypeError} when it is not a subclass of
 * `Middleware`.
 */
export function mountMiddleware(Class: MountableClass, point: MountPoint): MountedMiddleware {
  return (mountable(Class) as unknown as { [mount](point: MountPoint): MountedMiddleware })[mount](point);
}

type NamedClass = { readonly name: string };

/** Refuses anything but a subclass of `Middleware`. */
export function mountable(Class: unknown): MountableClass {
  if (isMountable(Class)) return Class;
  const given = described(Class);
  if (given.startsWith("the class"))
    throw new TypeError(`Cannot add ${nameOf(Class as NamedClass)} as middleware: it must extend Middleware`);
  throw new TypeError(
    `Cannot add middleware: expected a class, got ${given}; write class Name extends Middleware with ` +
      "ALL(input) { return this.next(input); }",
  );
}

export function isMountable(Class: unknown): Class is MountableClass {
  return typeof Class === "function" && mount in Class && !Object.hasOwn(Class, mount);
}

/** The dispatcher of an application, for middleware and for readers: the type of its class would be a cycle. */
export interface RequestRunner extends AnswerReader {
  readonly resources: readonly MountedResource[];
  readonly problems: Problems | null;
  readonly trailingSlash: TrailingSlash;
  readonly onLateError: ((error: unknown, input: Input) => unknown) | null;
  /** Is called for each input before middleware gets it, if a chain has something to do to it. */
  readonly prepare: PrepareInput | null;
  /** Answers a request as the application does from outside; null for an application without `fetch`. */
  readonly fetch: ((request: Request) => Promise<Response>) | null;
  match(input: object, url: string): PathMatch<MountedPattern> | PathProblem;
}

/** Does something to an input that middleware will get. It knows what the path leads to. */
export type PrepareInput = (input: object, method: string, found: PathMatch<MountedPattern> | PathProblem) => void;

/** Where a middleware is mounted. */
export interface MountPoint {
  readonly dispatcher: RequestRunner;
  /** The index of the middleware in each chain that has it. */
  readonly at: number;
  /** The resource that it wraps; null if it wraps the application. */
  readonly wraps: MountedResource | null;
  /** Whether HEAD runs the handler of GET if HEAD has none. */
  readonly headRunsGet: boolean | undefined;
}

/**
 * A middleware instance at its mount point. Its handlers are by method token, or "ALL", as they were when the
 * application was built.
 */
export interface MountedMiddleware extends MountPoint {
  readonly name: string;
  readonly middleware: object;
  readonly handlers: Handlers;
  /** Whether the middleware gets an `Answer` as it is: its class is of this package, and nobody has extended it. */
  readonly isPassing: boolean;
}

/** A resource of an application, with the middleware around it: the value of its path patterns. */
export class MountedResource {
  readonly name: string;
  readonly resource: object;
  /** A chain may replace them before the first request. */
  handlers: Handlers;
  /** The path patterns of the resource, as they were written, prefixes included. */
  patterns: readonly string[] = [];
  /** For each pattern the path that the class names. */
  paths: readonly unknown[] = [];
  /** For each pattern the groups that it is in. */
  groups: (readonly object[])[] = [];
  /** The names of the params of all patterns. */
  params: readonly string[] = [];
  /** The middleware classes of its groups, and inside them its own, outermost first. */
  readonly middleware: readonly MountableClass[];
  /**
   * The middleware that a request passes through, outermost first: the application's, the groups', its own. The
   * dispatcher sets it when it mounts the resource. A resource that is not mounted fails rather than answers without
   * its guards.
   */
  declare chain: readonly MountedMiddleware[];
  /** The dispatcher that has mounted it: errors of its connections are told there. */
  declare dispatcher: RequestRunner;

  constructor(name: string, resource: object, handlers: Handlers, middleware: readonly MountableClass[]) {
    this.name = name;
    this.resource = resource;
    this.handlers = handlers;
    this.middleware = middleware;
  }

  /** Adds a path pattern. Lists are copied, because V8 makes room for seventeen entries where one is pushed. */
  add({ source, names }: Pick<PathPattern, "source" | "names">, path: unknown, groups: readonly object[]): void {
    this.patterns = [...this.patterns, source];
    this.paths = [...this.paths, path];
    this.groups = [...this.groups, groups];
    this.params = [...this.params, ...names];
  }

  /** Says why a method is refused at a pattern, if a chain knows better. Null if a handler answers. */
  refusalOf: ((method: string, pattern: string) => MethodRefusal | null) | null = null;

  /** Lists the fields that only some methods use at a pattern, if a chain knows. */
  fieldsAt: ((method: string, pattern: string) => ScriptFields | null) | null = null;

  /** Whether the chain asks who may, besides the guards: answers may be for one user only. */
  isAsked = false;

  /** Makes what writes messages for peers of the resource, if a chain declares them. */
  writerOf: (() => { write(message: unknown): string | Uint8Array }) | null = null;

  /** The methods that are not left to the default. */
  get methods(): string[] {
    return methods.filter((method) => this.handlers[method]);
  }
}

/** Fields that scripts of other origins need a permission for (Fetch §3.3). */
export interface ScriptFields {
  readonly sent: readonly string[];
  readonly read: readonly string[];
}

export interface MethodRefusal {
  readonly status: StatusPair;
  readonly reason: string;
}

/** A path pattern of a resource: a value in the index of an application. */
export class MountedPattern {
  readonly mounted: MountedResource;
  #fixedParams: Params | null = null;

  constructor(resource: MountedResource) {
    this.mounted = resource;
  }

  /**
   * The params of a request that no middleware sees. A match without params or query shares one frozen object, so that
   * nothing is allocated.
   */
  paramsOf(match: PathMatch<MountedPattern>, url: string): Params {
    if (!match.isFixed || url.includes("?")) return new Params(match, url, null);
    if (this.#fixedParams === null) Object.freeze((this.#fixedParams = new Params(match, "", null)));
    return this.#fixedParams;
  }
}
