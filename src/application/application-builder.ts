import { Dispatcher } from "../dispatch/dispatcher.ts";
import type { Problems } from "../dispatch/error-response.ts";
import {
  mountable,
  MountedPattern,
  MountedResource,
  refuseAt,
  type MountableClass,
} from "../dispatch/mounted-resource.ts";
import { described, nameOf } from "../http/javascript/described.ts";
import { PathIndexBuilder, type TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { Terminal } from "../routing/index/path-match.ts";
import { PathPatternError, parsePathPattern } from "../routing/pattern/path-pattern.ts";
import type { Parts } from "./application.ts";
import type { Middleware } from "./middleware.ts";
import {
  access,
  flattened,
  joined,
  groupedResources,
  type Group,
  type Member,
  type ResourceClass,
} from "./grouped-resources.ts";
import { declaredBy } from "./resource-declarations.ts";
import type { Resource } from "./resource.ts";

/** The differences between the applications of the modules. */
export interface Chain<App> {
  readonly Resource: abstract new () => Resource;
  /** Another base that its applications take as well. */
  readonly Other?: abstract new () => Resource;
  /** Whether HEAD runs the handler of GET of middleware that has none of HEAD. */
  readonly headRunsGet?: boolean;
  create(parts: Parts): App;
}

/** Makes the one instance of a resource class that an application has. */
export type Instantiate = (Class: new (...dependencies: unknown[]) => Resource) => Resource;

/** Collects what an application is made of, and refuses what cannot work before the first request does. */
export class ApplicationBuilder<App, Class extends ResourceClass = ResourceClass> {
  readonly #chain: Chain<App>;
  readonly #members: (ResourceClass | Group)[] = [];
  readonly #middleware: MountableClass[] = [];
  #instantiate: Instantiate | null = null;
  #trailingSlash: TrailingSlash = "ignore";
  #problems: Problems | null = null;

  constructor(chain: Chain<App>) {
    this.#chain = chain;
  }

  /**
   * Adds resource classes and groups. The order does not decide which resource wins.
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
   * Constructs the resources by your function: dependency injection by any container, or none.
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
   * Sets whether a trailing slash of paths and patterns counts: `"strict"` or `"ignore"`. Default: `"ignore"`.
   *
   * @throws {TypeError} when it is neither.
   */
  trailingSlash(trailingSlash: TrailingSlash = "ignore"): this {
    if (trailingSlash !== "strict" && trailingSlash !== "ignore") {
      throw new TypeError(`Cannot set trailingSlash: expected "strict" or "ignore", got ${described(trailingSlash)}`);
    }
    this.#trailingSlash = trailingSlash;
    return this;
  }

  /**
   * Replaces problem details with another format for all errors. Documents describe errors by its schema.
   *
   * Handlers of the polyfill module that write errors themselves write them as they like.
   *
   * @throws {TypeError} when it has no schema, `from` is not a function, or `type` is not a media type.
   * @example
   * ```ts
   * const app = Application.builder()
   *   .problems({
   *     schema: z.object({ message: z.string() }),
   *     type: "application/json",
   *     from: ({ title, detail = title }) => ({ message: detail }),
   *   })
   *   .build();
   * const response = await app.request("/nowhere");
   * console.log(response.status, await response.text()); // 404 {"message":"Not Found"}
   * ```
   */
  problems<Content>(problems: Problems<Content>): this {
    const { type } = { type: undefined, ...problems };
    if (
      typeof problems?.from !== "function" ||
      !problems.schema?.["~standard"] ||
      !/^([\w.+-]+\/[\w.+-]+(;[ -~]+)?|undefined)$/.test(`${type}`)
    )
      throw new TypeError(`Cannot set problems: expected { schema, from, type }, got ${described(problems)}`);
    // A missing option must not be read from Object.prototype.
    this.#problems = { ...problems, type, from: problems.from };
    return this;
  }

  /**
   * Constructs every resource once, reads its paths once, and makes the application.
   *
   * @throws {PathPatternError} when an entry of `paths` is not a path pattern.
   * @throws {TypeError} when a class does not extend the Resource of the same entry, or is added with different
   * middleware.
   * @throws {TypeError} when a class says what nothing would come of, such as `get()` instead of `GET()`.
   * @throws {TypeError} when two resources have patterns that match the same paths.
   * @throws {TypeError} when a resource that serves files or mounts another framework cannot work at one of its
   * patterns.
   */
  build(): App {
    const index = new PathIndexBuilder<MountedPattern>(this.#trailingSlash);
    const resources = new Map<ResourceClass, Added>();
    for (const { Class, prefixes, middleware, groups } of groupedResources(this.#members, ["/"], [])) {
      if (this.#chain.Other === undefined && groups.some((group) => access in group)) {
        throw new TypeError(`${cannotAdd(Class)}: its group says who may, which only Application of fingerpost asks`);
      }
      const added = resources.get(Class) ?? this.#construct(Class, middleware);
      const { mounted, paths, around } = added;
      resources.set(Class, added);
      if (around.length !== middleware.length || around.some((one, at) => one !== middleware[at])) {
        const [before, here] = [around, middleware].map((list) => `[${list.map(nameOf).join(", ")}]`);
        throw new TypeError(
          `${cannotAdd(Class)}: it is there already with other middleware: ${before}, and here ${here}; use one list ` +
            "in both places, or add a subclass here",
        );
      }
      for (const prefix of prefixes) for (const path of paths) addPattern(index, mounted, prefix, path, groups);
    }
    const placed = Array.from(resources.values(), ({ mounted }) => mounted);
    const dispatcher = new Dispatcher(index.build(), this.#middleware, placed, this.#chain.headRunsGet);
    dispatcher.problems = this.#problems;
    dispatcher.trailingSlash = this.#trailingSlash;
    const app = this.#chain.create({ dispatcher, trailingSlash: this.#trailingSlash });
    for (const { name, patterns, resource } of placed) (resource as Refusing)[refuseAt]?.(name, patterns, dispatcher);
    return app;
  }

  #construct(Class: ResourceClass, around: readonly MountableClass[]): Added {
    const { Resource: Own, Other = Own } = this.#chain;
    const Base = Class.prototype instanceof Own ? Own : Other;
    if (!(Class.prototype instanceof Base)) {
      throw new TypeError(`${cannotAdd(Class)}: it must extend the Resource of the same entry`);
    }
    if (this.#instantiate === null && Class.length > 0) {
      throw new TypeError(
        `${cannotAdd(Class)}: its constructor requires parameters; pass them by instantiate(), or give each a default`,
      );
    }
    const construct = this.#instantiate ?? ((Default) => new Default());
    const resource: unknown = construct(Class as new () => Resource);
    if (!(resource instanceof Class)) {
      throw new TypeError(`${cannotAdd(Class)}: expected an instance of it, got ${described(resource)}`);
    }
    const { handlers, paths, middleware } = declaredBy(Class, resource, Base);
    const mounted = new MountedResource(nameOf(Class), resource, handlers, [...around, ...middleware]);
    return { mounted, paths, around };
  }
}

interface Refusing {
  [refuseAt]?(name: string, patterns: readonly string[], dispatcher: Dispatcher): void;
}

/** A resource class as it was added first. */
interface Added {
  readonly mounted: MountedResource;
  readonly paths: readonly string[];
  /** The middleware of the groups that it is in. */
  readonly around: readonly MountableClass[];
}

function addPattern(
  index: PathIndexBuilder<MountedPattern>,
  mounted: MountedResource,
  prefix: string,
  path: string,
  groups: readonly Group[],
): void {
  const pattern = parsePathPattern(joined(prefix, path), mounted.name);
  let rivals: readonly Terminal<MountedPattern>[];
  try {
    rivals = index.add(pattern, new MountedPattern(mounted));
  } catch (error) {
    const reason = (error as Error).message.slice(0, 80);
    throw new PathPatternError(`the expressions do not compile together (${reason})`, pattern.source, 0, mounted.name);
  }
  const rival = rivals.find(({ value }) => value.mounted !== mounted);
  if (rival !== undefined) {
    throw new TypeError(
      `Cannot add ${mounted.name} to the application: its pattern ${described(pattern.source)} and ` +
        `${described(rival.source)} of ${rival.value.mounted.name} match the same paths`,
    );
  }
  const known = rivals.length === 0 ? -1 : mounted.patterns.indexOf(pattern.source);
  if (known === -1) {
    mounted.add(pattern, path, groups);
  } else mounted.groups[known] = [...mounted.groups[known]!, ...groups];
}

function cannotAdd(Class: ResourceClass): string {
  return `Cannot add ${nameOf(Class)} to the application`;
}
