import { Dispatcher } from "../dispatch/dispatcher.ts";
import {
  isMountable,
  mountable,
  MountedPattern,
  MountedResource,
  type Handler,
  type Handlers,
  type MountableClass,
} from "../dispatch/mounted-resource.ts";
import { described, nameOf } from "../http/described.ts";
import { methods } from "../http/method.ts";
import { PathIndexBuilder, type TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { Terminal } from "../routing/index/path-match.ts";
import { PathPatternError, parsePathPattern, type PathPattern } from "../routing/pattern/path-pattern.ts";
import type { Parts } from "./application.ts";
import type { Middleware } from "./middleware.ts";
import { flattened, joined, placements, type Group, type Member, type ResourceClass } from "./placement.ts";
import { Resource } from "./resource.ts";

/** What distinguishes the applications of one module from those of the other. */
export interface Chain<App> {
  readonly Resource: abstract new () => Resource;
  create(parts: Parts): App;
}

/** Makes the one instance of a resource class that an application has. */
export type Instantiate = (Class: new (...dependencies: unknown[]) => Resource) => Resource;

/** Collects what an application is made of, and refuses what cannot work before the first request does. */
export class ApplicationBuilder<App, Class extends ResourceClass = ResourceClass> {
  readonly #chain: Chain<App>;
  readonly #members: (ResourceClass | Group)[] = [];
  readonly #middleware: MountableClass[] = [];
  #instantiate: Instantiate = (Class) => new Class();
  #trailingSlash: TrailingSlash = "ignore";

  constructor(chain: Chain<App>) {
    this.#chain = chain;
  }

  /**
   * Adds resource classes and groups, in any order: it does not decide which resource wins (C4.5).
   *
   * @throws {TypeError} when one is neither.
   */
  resources(...members: readonly Member<Class>[]): this {
    for (const member of flattened(members)) this.#members.push(member);
    return this;
  }

  /**
   * Wraps the whole application in middleware, the first outermost: it sees every input, those that end in 404 too.
   *
   * @throws {TypeError} when one is not a subclass of `Middleware`.
   */
  middleware(...classes: readonly (new () => Middleware)[]): this {
    this.#middleware.push(...classes.map(mountable));
    return this;
  }

  /**
   * Has a function of the host construct the resources: dependency injection by any container, or none.
   *
   * @throws {TypeError} when it is not a function.
   */
  instantiate(instantiate: Instantiate): this {
    if (typeof instantiate !== "function") {
      throw new TypeError(`Cannot instantiate resources: expected a function, got ${described(instantiate)}`);
    }
    this.#instantiate = instantiate;
    return this;
  }

  /**
   * Says whether a slash at the end of paths and patterns counts: `"strict"`, or `"ignore"`, the default (C4.7).
   *
   * @throws {TypeError} when it is neither.
   */
  trailingSlash(trailingSlash: TrailingSlash): this {
    if (trailingSlash !== "strict" && trailingSlash !== "ignore") {
      throw new TypeError(`Cannot set trailingSlash: expected "strict" or "ignore", got ${described(trailingSlash)}`);
    }
    this.#trailingSlash = trailingSlash;
    return this;
  }

  /**
   * Constructs every resource once, reads its paths once, and makes the application.
   *
   * @throws {PathPatternError} when an entry of `paths` is not a path pattern (C4.4).
   * @throws {TypeError} when a class does not extend the Resource of the same module, is added with different middleware,
   * has a handler that is not a method or a list of middleware that is none, or when two resources have patterns that match the
   * same paths (C4.6).
   */
  build(): App {
    const index = new PathIndexBuilder<MountedPattern>(this.#trailingSlash);
    const resources = new Map<ResourceClass, Added>();
    for (const { Class, prefixes, middleware } of placements(this.#members, ["/"], [])) {
      let added = resources.get(Class);
      if (added === undefined) resources.set(Class, (added = this.#construct(Class, middleware)));
      const { mounted, paths, around } = added;
      if (!isSameList(around, middleware)) {
        throw new TypeError(
          `${cannotAdd(Class)}: it is there already with other middleware; extend the class to answer without it`,
        );
      }
      for (const prefix of prefixes) for (const path of paths) addPattern(index, mounted, joined(prefix, path));
    }
    const placed = [...resources.values()].map(({ mounted }) => mounted);
    return this.#chain.create({
      dispatcher: new Dispatcher(index.build(), this.#middleware, placed),
      trailingSlash: this.#trailingSlash,
      resources: placed,
    });
  }

  #construct(Class: ResourceClass, around: readonly MountableClass[]): Added {
    const { Resource: Base } = this.#chain;
    if (!(Class.prototype instanceof Base)) {
      throw new TypeError(`${cannotAdd(Class)}: it must extend the Resource of the same module`);
    }
    const resource: unknown = this.#instantiate(Class as new () => Resource);
    if (!(resource instanceof Class)) {
      throw new TypeError(`${cannotAdd(Class)}: expected an instance of it, got ${described(resource)}`);
    }
    const other = methods.find((method) => typeof resource[method] !== "function");
    if (other !== undefined) {
      throw new TypeError(`${cannotAdd(Class)}: its ${other} must be a method, got ${described(resource[other])}`);
    }
    const paths: unknown = resource.paths;
    if (!Array.isArray(paths)) {
      const hint = typeof paths === "string" ? `; write [${described(paths)}]` : "";
      throw new PathPatternError(
        `paths must be an array of strings, got ${described(paths)}${hint}`,
        "",
        0,
        nameOf(Class),
      );
    }
    const middleware = [...around, ...ownMiddlewareOf(resource, Base, Class)];
    const mounted = new MountedResource(nameOf(Class), resource, handlersOf(resource), middleware);
    return { mounted, paths: [...paths], around };
  }
}

/** A resource class as it was added first. */
interface Added {
  readonly mounted: MountedResource;
  readonly paths: readonly string[];
  /** The middleware of the groups that it is in. */
  readonly around: readonly MountableClass[];
}

/**
 * The middleware that the class of a resource names itself, and inside it that of each subclass, so that no guard of a base class
 * is lost by naming one's own (C5.8). What a base class names already, as in `[...Base.middleware, Own]`, is there once.
 */
function ownMiddlewareOf(resource: Resource, Base: object, Class: ResourceClass): Iterable<MountableClass> {
  const { middleware } = resource as { middleware?: unknown };
  if (Array.isArray(middleware) && middleware.some(isMountable))
    throw new TypeError(`${cannotAdd(Class)}: its middleware is not read; write static middleware`);
  const lists: MountableClass[][] = [];
  // Of the instance: what was made may be of a subclass, whose handlers run.
  let part = resource.constructor as { readonly name: string; readonly middleware?: unknown } | null;
  for (; part !== null && part !== Base; part = Object.getPrototypeOf(part) as typeof part) {
    if (!Object.hasOwn(part, "middleware")) continue;
    const list: unknown = part.middleware;
    if (!Array.isArray(list) || !list.every(isMountable)) {
      const other: unknown = Array.isArray(list) ? list.find((entry) => !isMountable(entry)) : list;
      throw new TypeError(
        `${cannotAdd(Class)}: static middleware of ${nameOf(part)} must be an array of middleware classes, got ${described(other)}`,
      );
    }
    lists.unshift(list);
  }
  return new Set(lists.flat());
}

/** The handlers as they are now: what becomes of the instance later does not change the application. */
function handlersOf(resource: Resource): Handlers {
  const handlers: Record<string, Handler | null> = Object.setPrototypeOf({}, null);
  for (const method of methods) {
    const handler = resource[method];
    handlers[method] = handler === Resource.prototype[method] ? null : handler;
  }
  return handlers;
}

function addPattern(index: PathIndexBuilder<MountedPattern>, mounted: MountedResource, path: unknown): void {
  const pattern = parsePathPattern(path, mounted.name);
  const rivals = addTo(index, pattern, new MountedPattern(mounted));
  const rival = rivals.find(({ value }) => value.mounted !== mounted);
  if (rival === undefined) {
    if (rivals.length === 0 || !mounted.patterns.includes(pattern.source)) mounted.patterns.push(pattern.source);
    return;
  }
  const [own, other] = [pattern, rival].map(({ source }) => described(source));
  throw new TypeError(
    `Cannot add ${mounted.name} to the application: its pattern ${own} and ${other} of ${rival.value.mounted.name} match the same paths`,
  );
}

function addTo(
  index: PathIndexBuilder<MountedPattern>,
  pattern: PathPattern,
  value: MountedPattern,
): readonly Terminal<MountedPattern>[] {
  try {
    return index.add(pattern, value);
  } catch (error) {
    const { message } = error as Error;
    throw new PathPatternError(
      `the expressions do not compile together (${message.slice(0, 80)})`,
      pattern.source,
      0,
      value.mounted.name,
    );
  }
}

function cannotAdd(Class: ResourceClass): string {
  return `Cannot add ${nameOf(Class)} to the application`;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((member, at) => member === b[at]);
}
