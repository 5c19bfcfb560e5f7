import type { Middleware } from "../application/middleware.ts";
import {
  ResourceGroup as CoreResourceGroup,
  ResourceGroupBuilder as CoreResourceGroupBuilder,
} from "../application/resource-group.ts";
import { access, type Member } from "../application/grouped-resources.ts";
import { described } from "../http/javascript/described.ts";
import type { AskedAt } from "./declaration/asked.ts";
import type { May } from "./declaration/may.ts";
import type { GroupAccess } from "./operation/access-model.ts";
import { members as rows } from "./operation/members.ts";
import type { ResourceClass } from "./semantics-application.ts";
import type { CheckedMembers } from "./declaration/resource-class.ts";

/** Resources that share prefixes and middleware; groups nest. */
export interface ResourceGroup<Prefix extends string = string, Members = unknown> extends CoreResourceGroup<
  Prefix,
  Members
> {}

class AskingGroup extends CoreResourceGroup {
  // As stack traces and logs show it: the bundle has another class of that name.
  static override readonly name: string = "ResourceGroup";

  static override builder(): never {
    return new AskingGroupBuilder(this) as never;
  }
}

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
} = AskingGroup as never;

/** Collects the parts of a group, and builds it. */
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
  /**
   * Decides who may use the resources of the group, after its guards: a function of the params of the prefixes and the
   * request. `false` answers 403. `{ hides: true, ask }` answers with 404. It is asked besides `static may` of the
   * classes. Write it after `prefix()`, whose params it takes.
   *
   * @throws {TypeError} when it is neither a function nor an object with one.
   * @example
   * ```ts
   * const user = new Attribute<{ orgs: string[] }>("user");
   * const group = ResourceGroup.builder()
   *   .prefix("/orgs/:org")
   *   .may(({ path, request }) => user.get(request).orgs.includes(path.org))
   *   .build();
   * ```
   */
  may(may: May<AskedAt<Prefix>>): this;
  /** Says that the resources of the group are open to everybody on purpose, for `.guarded()` of the application. */
  anonymous(): this;
  /** Makes the group. It is a value: what the builder is told later does not change it. */
  build(): ResourceGroup<Prefix, Members>;
}

class AskingGroupBuilder extends CoreResourceGroupBuilder {
  readonly #Group: typeof CoreResourceGroup;
  readonly #mays: unknown[] = [];
  #isAnonymous = false;

  constructor(Group: typeof CoreResourceGroup) {
    super();
    this.#Group = Group;
  }

  /** Decides who may; see `ResourceGroupBuilder`. @throws {TypeError} when it is not a function. */
  may(may: unknown): this {
    const { isFit, expected } = rows["may"]!;
    if (!isFit(may)) throw new TypeError(`Cannot add may(): expected ${expected}, got ${described(may)}`);
    this.#mays.push(may);
    return this;
  }

  /** Says that the resources are open on purpose; see `ResourceGroupBuilder`. */
  anonymous(): this {
    this.#isAnonymous = true;
    return this;
  }

  override build(): CoreResourceGroup {
    const { members, prefixes, middleware } = super.build();
    const said: GroupAccess = { mays: [...this.#mays], isAnonymous: this.#isAnonymous };
    const isSaid = said.mays.length > 0 || said.isAnonymous;
    return new this.#Group(members, prefixes, middleware, isSaid ? { [access]: said } : {});
  }
}
