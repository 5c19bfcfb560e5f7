import { isMountable, type Handler, type Handlers, type MountableClass } from "../dispatch/mounted-resource.ts";
import { described, nameOf } from "../http/javascript/described.ts";
import { propertyOf } from "../http/javascript/property.ts";
import { methods } from "../http/protocol/method.ts";
import { PathPatternError } from "../routing/pattern/path-pattern.ts";
import { expectsMore, methodsBelow } from "./handler-check.ts";
import type { ResourceClass } from "./grouped-resources.ts";
import { Resource } from "./resource.ts";

/**
 * The declarations of a resource class, read once: later changes of the class or instance do not change the
 * application.
 */
export interface Declared {
  readonly handlers: Handlers;
  readonly paths: readonly string[];
  /** The middleware that the class itself names, outermost first. */
  readonly middleware: readonly MountableClass[];
}

/**
 * Reads the declarations of a resource class. Refuses declarations that have no effect, because they must be mistakes.
 * @param Base the class that the resources of the module inherit from.
 * @throws {TypeError} which names the class.
 */
export function declaredBy(Class: ResourceClass, resource: Resource, Base: abstract new () => Resource): Declared {
  const handlers = handlersOf(Class, resource);
  const all = methods.find((method) => handlers[method] === null);
  for (const name of methodsBelow(resource, Base.prototype as object)) {
    const method = name.toUpperCase();
    if (name === "ALL" ? all : name !== method && handlers[method] === null) {
      const written = name === "ALL" ? "each method by its name" : `${method}()`;
      throw new TypeError(
        `Cannot add ${nameOf(Class)} to the application: no request calls its ${name}(); write ${written}, or rename ` +
          "it",
      );
    }
  }
  return { handlers, paths: pathsOf(Class, resource, handlers), middleware: middlewareOf(Class, resource, Base) };
}

function handlersOf(Class: ResourceClass, resource: Resource): Handlers {
  const handlers: Record<string, Handler | null> = Object.setPrototypeOf({}, null);
  for (const method of methods) {
    const handler: unknown = resource[method];
    if (typeof handler !== "function") {
      throw new TypeError(
        `Cannot add ${nameOf(Class)} to the application: its ${method} must be a method, got ${described(handler)}`,
      );
    }
    if (expectsMore(handler)) {
      throw new TypeError(
        `Cannot add ${nameOf(Class)} to the application: its ${method}() has ${handler.length} parameters, and gets ` +
          "the input alone; write return with the answer",
      );
    }
    handlers[method] = handler === Resource.prototype[method] ? null : (handler as Handler);
  }
  return handlers;
}

function pathsOf(Class: ResourceClass, resource: Resource, handlers: Handlers): readonly string[] {
  const paths = checkedList(resource.paths as unknown, "paths", isString, (got) => {
    const hint = typeof resource.paths === "string" ? `; write [${got}]` : "";
    return new PathPatternError(`paths must be an array of strings, got ${got}${hint}`, "", 0, nameOf(Class));
  });
  if (paths.length > 0) return [...paths];
  // Without paths nothing reaches it (C3.1). A name that other routers have shows that something should.
  const named: readonly object[] = [resource, Class];
  const meant = ["path", "route"].find((name) => named.some((one) => isString(propertyOf(one as Named, name))));
  if (meant !== undefined && methods.some((method) => handlers[method])) throw ineffective(Class, meant, "paths");
  return [];
}

type Named = Readonly<Record<string, unknown>>;

/**
 * Returns the middleware that a class names itself and, inside it, the middleware of each subclass. So naming its own
 * middleware never loses a guard of a base class. Middleware that a base class names already, as in
 * `[...Base.middleware, Own]`, is in the list once.
 */
function middlewareOf(
  Class: ResourceClass,
  resource: Resource,
  Base: abstract new () => Resource,
): readonly MountableClass[] {
  const { middleware } = resource as { middleware?: unknown };
  if (Array.isArray(middleware) && middleware.some(isMountable))
    throw ineffective(Class, "middleware", "static middleware");
  const lists: MountableClass[][] = [];
  // The class of the instance: it may be a subclass, whose handlers run.
  let part = resource.constructor as { readonly name: string; readonly middleware?: unknown } | null;
  for (; part !== null && part !== Base; part = Object.getPrototypeOf(part) as typeof part) {
    if (Object.hasOwn(part, "paths")) throw ineffective(Class, "static paths", "paths");
    if (!Object.hasOwn(part, "middleware")) continue;
    const owner = nameOf(part);
    const errorOf = (got: string): TypeError =>
      new TypeError(
        `Cannot add ${nameOf(Class)} to the application: static middleware of ${owner} must be an array of ` +
          "middleware classes, " +
          `got ${got}`,
      );
    lists.unshift(checkedList(part.middleware, "middleware", isMountable, errorOf));
  }
  return [...new Set(lists.flat())];
}

/**
 * Refuses anything but an array of members. @param errorOf is given words for the value, or for the first entry that is
 * not a member.
 */
function checkedList<T>(
  value: unknown,
  name: string,
  isMember: (entry: unknown) => entry is T,
  errorOf: (got: string) => Error,
): T[] {
  if (!Array.isArray(value)) throw errorOf(described(value));
  const at = value.findIndex((entry) => !isMember(entry));
  if (at < 0) return value as T[];
  throw errorOf(`${described(value[at])} as ${name}[${at}]`);
}

function isString(entry: unknown): entry is string {
  return typeof entry === "string";
}

function ineffective(Class: ResourceClass, name: string, instead: string): TypeError {
  return new TypeError(`Cannot add ${nameOf(Class)} to the application: its ${name} has no effect; write ${instead}`);
}
