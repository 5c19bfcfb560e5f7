import { described } from "../http/javascript/described.ts";
import { mountable, type MountableClass } from "../dispatch/mounted-resource.ts";
import type { Middleware } from "./middleware.ts";
import { flattened, type Collected, type Group, type Member, type ResourceClass } from "./grouped-resources.ts";

/**
 * Resources that share prefixes and middleware; groups nest.
 *
 * Each prefix is joined with each path of the resources. The middleware belongs to each of the resources, the first
 * outermost, inside the middleware of outer groups. No path decides whether it runs.
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
export class ResourceGroup<Prefix extends string = string, Members = unknown> implements Group {
  /** For the compiler only. Typed clients read the types of the prefixes and of the members from it. */
  declare readonly "~members": Collected<Prefix, Members>;
  /** The resource classes and groups in it. */
  readonly members: readonly (ResourceClass | Group)[];
  /** The prefixes of each path. Default: `"/"`. */
  readonly prefixes: readonly string[];
  /** The middleware classes, outermost first. */
  readonly middleware: readonly MountableClass[];

  /** @throws {TypeError} when it is not called by `ResourceGroup.builder()`. */
  constructor(
    members: readonly (ResourceClass | Group)[],
    prefixes: readonly string[],
    middleware: readonly MountableClass[],
    own: object = {},
  ) {
    if (!Array.isArray(middleware)) throw new TypeError("Cannot add a group: write ResourceGroup.builder()");
    Object.assign(this, own);
    this.members = Object.freeze([...members]);
    this.prefixes = Object.freeze([...prefixes]);
    this.middleware = Object.freeze([...middleware]);
    Object.freeze(this);
  }

  /** Begins a group. */
  static builder(): ResourceGroupBuilder<never, never> {
    return new ResourceGroupBuilder();
  }
}

/** Collects the parts of a group, and builds it. */
export class ResourceGroupBuilder<Prefix extends string = string, Members = unknown> {
  readonly #members: (ResourceClass | Group)[] = [];
  readonly #prefixes: string[] = [];
  readonly #middleware: MountableClass[] = [];

  /** Adds resource classes and groups. @throws {TypeError} when one is neither. */
  resources<const Added extends readonly Member[]>(
    ...members: Added
  ): ResourceGroupBuilder<Prefix, Members | Added[number]> {
    for (const member of flattened(members)) this.#members.push(member);
    return this;
  }

  /**
   * Adds prefixes before each path: path patterns that may hold params. @throws {TypeError} when a prefix is not a
   * string.
   */
  prefix<const Added extends string>(...prefixes: readonly Added[]): ResourceGroupBuilder<Prefix | Added, Members> {
    for (const prefix of prefixes as readonly unknown[]) {
      if (typeof prefix === "string" && prefix.startsWith("/")) this.#prefixes.push(prefix);
      else throw new TypeError(`Cannot add a prefix: expected a path pattern such as "/api", got ${described(prefix)}`);
    }
    return this;
  }

  /** Adds middleware classes, the first outermost. @throws {TypeError} when one is not a subclass of `Middleware`. */
  middleware(...classes: readonly (new () => Middleware)[]): this {
    this.#middleware.push(...classes.map(mountable));
    return this;
  }

  /** Makes the group. It is a value: what the builder is told later does not change it. */
  build(): ResourceGroup<Prefix, Members> {
    return new ResourceGroup(this.#members, this.#prefixes.length > 0 ? this.#prefixes : ["/"], this.#middleware);
  }
}
