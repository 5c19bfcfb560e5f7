import { described, nameOf } from "../http/described.ts";
import { methods } from "../http/method.ts";
import { PathIndexBuilder, type TrailingSlash } from "../routing/build/path-index-builder.ts";
import type { Terminal } from "../routing/index/path-match.ts";
import { PathPatternError, parsePathPattern, type PathPattern } from "../routing/pattern/path-pattern.ts";
import type { Parts } from "./application.ts";
import { wrappingClass, type WrappingClass } from "./layer.ts";
import { flattened, joined, placements, type Group, type Member, type ResourceClass } from "./placement.ts";
import type { Resource } from "./resource.ts";
import { Target, TargetPattern, type MiddlewareClass } from "./mounted-resource.ts";

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
  readonly #middleware: WrappingClass[] = [];
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
  middleware(...classes: readonly MiddlewareClass[]): this {
    this.#middleware.push(...classes.map(wrappingClass));
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
   * has a handler that is not a method, or when two resources have patterns that match the same paths (C4.6).
   */
  build(): App {
    const index = new PathIndexBuilder<TargetPattern>(this.#trailingSlash);
    const targets = new Map<ResourceClass, { target: Target; paths: readonly string[] }>();
    for (const { Class, prefixes, middleware } of placements(this.#members, ["/"], [])) {
      let added = targets.get(Class);
      if (added === undefined) targets.set(Class, (added = this.#construct(Class, middleware)));
      const { target, paths } = added;
      if (!isSameList(target.middleware, middleware)) {
        throw new TypeError(
          `${cannotAdd(Class)}: it is there already with other middleware; extend the class to answer without it`,
        );
      }
      for (const prefix of prefixes) for (const path of paths) addPattern(index, target, joined(prefix, path));
    }
    return this.#chain.create({
      index: index.build(),
      trailingSlash: this.#trailingSlash,
      targets: [...targets.values()].map(({ target }) => target),
      middleware: [...this.#middleware],
    });
  }

  #construct(Class: ResourceClass, middleware: readonly WrappingClass[]): { target: Target; paths: readonly string[] } {
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
    return { target: new Target(resource, nameOf(Class), middleware), paths: [...paths] };
  }
}

function addPattern(index: PathIndexBuilder<TargetPattern>, target: Target, path: unknown): void {
  const pattern = parsePathPattern(path, target.name);
  const rivals = addTo(index, pattern, new TargetPattern(target));
  const rival = rivals.find(({ value }) => value.target !== target);
  if (rival === undefined) {
    if (rivals.length === 0 || !target.patterns.includes(pattern.source)) target.patterns.push(pattern.source);
    return;
  }
  const [own, other] = [pattern, rival].map(({ source }) => described(source));
  throw new TypeError(
    `Cannot add ${target.name} to the application: its pattern ${own} and ${other} of ${rival.value.target.name} match the same paths`,
  );
}

function addTo(
  index: PathIndexBuilder<TargetPattern>,
  pattern: PathPattern,
  targetPattern: TargetPattern,
): readonly Terminal<TargetPattern>[] {
  try {
    return index.add(pattern, targetPattern);
  } catch (error) {
    const { message } = error as Error;
    throw new PathPatternError(
      `the expressions do not compile together (${message.slice(0, 80)})`,
      pattern.source,
      0,
      targetPattern.target.name,
    );
  }
}

function cannotAdd(Class: ResourceClass): string {
  return `Cannot add ${nameOf(Class)} to the application`;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((member, at) => member === b[at]);
}
