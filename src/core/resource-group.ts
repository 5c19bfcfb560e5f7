import { described, nameOf } from "../http/described.ts";
import { Middleware } from "./middleware.ts";
import type { Resource } from "./resource.ts";
import type { MiddlewareClass } from "./target.ts";

/** A class of resources, as it is given to a builder. */
export type ResourceClass = abstract new (...dependencies: never[]) => Resource;

/** What `resources()` takes: resource classes, groups, and arrays of them. */
export type Member = ResourceClass | ResourceGroup | readonly Member[];

/**
 * Resources that share prefixes and middleware; groups nest.
 *
 * Prefixes multiply with the paths of the resources. The middleware hangs on each of the resources, the first outermost,
 * and inside that of an outer group; no path decides whether it runs (C5.4).
 *
 * @example
 * ```ts
 * class Users extends Resource {
 *   paths = ["/users/:id?"];
 * }
 * const group = ResourceGroup.builder().resources(Users).prefix("/api/v1", "/v1").build();
 * Application.builder().resources(group).build(); // answers /api/v1/users/7 and /v1/users/7
 * ```
 */
export class ResourceGroup {
  readonly members: readonly (ResourceClass | ResourceGroup)[];
  readonly prefixes: readonly string[];
  readonly middleware: readonly MiddlewareClass[];

  /** Groups are made by `ResourceGroup.builder()`. */
  constructor(
    members: readonly (ResourceClass | ResourceGroup)[],
    prefixes: readonly string[],
    middleware: readonly MiddlewareClass[],
  ) {
    this.members = Object.freeze([...members]);
    this.prefixes = Object.freeze([...prefixes]);
    this.middleware = Object.freeze([...middleware]);
    Object.freeze(this);
  }

  /** Begins a group. */
  static builder(): ResourceGroupBuilder {
    return new ResourceGroupBuilder();
  }
}

/** Collects what a group is made of. */
export class ResourceGroupBuilder {
  readonly #members: (ResourceClass | ResourceGroup)[] = [];
  readonly #prefixes: string[] = [];
  readonly #middleware: MiddlewareClass[] = [];

  /** Adds resource classes and groups. @throws {TypeError} when one is neither. */
  resources(...members: readonly Member[]): this {
    this.#members.push(...flattened(members));
    return this;
  }

  /** Adds prefixes: path patterns that may hold params, put in front of each path. @throws {TypeError} for no string. */
  prefix(...prefixes: readonly string[]): this {
    for (const prefix of prefixes as readonly unknown[]) {
      if (typeof prefix === "string" && prefix.startsWith("/")) this.#prefixes.push(prefix);
      else throw new TypeError(`Cannot add a prefix: expected a path pattern such as "/api", got ${described(prefix)}`);
    }
    return this;
  }

  /** Adds middleware classes, the first outermost. @throws {TypeError} when one is not a subclass of `Middleware`. */
  middleware(...classes: readonly MiddlewareClass[]): this {
    this.#middleware.push(...classes.map(middlewareClass));
    return this;
  }

  build(): ResourceGroup {
    return new ResourceGroup(this.#members, this.#prefixes.length > 0 ? this.#prefixes : ["/"], this.#middleware);
  }
}

/** Flattens what `resources()` was given, and refuses what is neither a class nor a group. */
export function flattened(members: readonly Member[]): (ResourceClass | ResourceGroup)[] {
  return (members as readonly unknown[]).flat(Infinity).map((member) => {
    if (member instanceof ResourceGroup) return member;
    if (isConstructor(member)) return member as ResourceClass;
    throw new TypeError(`Cannot add a resource: expected a class, got ${described(member)}`);
  });
}

/** Refuses what is not a subclass of `Middleware`. */
export function middlewareClass(Class: MiddlewareClass): MiddlewareClass {
  if (!isConstructor(Class)) throw new TypeError(`Cannot add middleware: expected a class, got ${described(Class)}`);
  if (Class.prototype instanceof Middleware) return Class;
  throw new TypeError(`Cannot add ${nameOf(Class)} as middleware: it must extend Middleware`);
}

function isConstructor(value: unknown): value is { prototype: unknown; name: string } {
  return typeof value === "function" && typeof value.prototype === "object" && value.prototype !== null;
}
