import type { Middleware } from "../application/middleware.ts";
import { ResourceGroup as CoreResourceGroup } from "../application/resource-group.ts";
import type { Member } from "../application/grouped-resources.ts";
import type { ResourceClass } from "./semantics-application.ts";
import type { CheckedMembers } from "./declaration/resource-class.ts";

/** Resources that share prefixes and middleware; groups nest. */
export interface ResourceGroup<Prefix extends string = string, Members = unknown> extends CoreResourceGroup<
  Prefix,
  Members
> {}

/**
 * Resources that share prefixes and middleware; groups nest.
 *
 * Each prefix is joined with each path of the resources. The middleware belongs to each of the resources, the first
 * outermost, inside the middleware of outer groups. No path decides whether it runs.
 *
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">) {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * const group = ResourceGroup.builder().resources(Greeting).prefix("/api/v1", "/v1").build();
 * Application.builder().resources(group).build(); // answers /api/v1/hello/Ada and /v1/hello/Ada
 * ```
 */
export const ResourceGroup: {
  new (...parts: never[]): ResourceGroup;
  readonly prototype: ResourceGroup;
  /** Begins a group. */
  builder(): ResourceGroupBuilder<never, never>;
  // The same class as in the other modules: only the compiler looks at members more closely.
} = CoreResourceGroup as never;

/** Collects what a group is made of. */
export interface ResourceGroupBuilder<Prefix extends string = string, Members = unknown> {
  /**
   * Adds resource classes of this module or of the native one, groups, and arrays of either.
   *
   * The compiler refuses a class with a handler that returns what its operation does not declare.
   *
   * @throws {TypeError} when one is neither a class nor a group.
   */
  resources<const Added extends readonly Member<ResourceClass>[]>(
    ...members: CheckedMembers<Added>
  ): ResourceGroupBuilder<Prefix, Members | Added[number]>;
  /**
   * Adds prefixes before each path: path patterns that may hold params. @throws {TypeError} when a prefix is not a
   * string.
   */
  prefix<const Added extends string>(...prefixes: readonly Added[]): ResourceGroupBuilder<Prefix | Added, Members>;
  /** Adds middleware classes, the first outermost. @throws {TypeError} when one is not a subclass of `Middleware`. */
  middleware(...classes: readonly (new () => Middleware)[]): this;
  /** Makes the group. It is a value: what the builder is told later does not change it. */
  build(): ResourceGroup<Prefix, Members>;
}
