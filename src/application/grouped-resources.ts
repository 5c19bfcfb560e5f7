import type { MountableClass } from "../dispatch/mounted-resource.ts";
import { described } from "../http/javascript/described.ts";
import type { Resource } from "./resource.ts";

/**
 * A class of resources, as it is passed to a builder. What handlers return is `void`: to compare it with `unknown`, the
 * compiler would work out what each handler returns.
 */
export type ResourceClass = new (...dependencies: never[]) => Resource<void>;

export interface GroupedResource {
  readonly Class: ResourceClass;
  readonly prefixes: readonly string[];
  readonly middleware: readonly MountableClass[];
  /** The groups that it is in, outermost first. */
  readonly groups: readonly Group[];
}

/**
 * Names what a group of the semantics module says of who may use its resources. A registered symbol, because a group
 * may be of another copy.
 */
export const access: unique symbol = Symbol.for("fingerpost.access") as never;

/**
 * The type of a `ResourceGroup` for a builder. The builder does not name that class, so that programs without groups do
 * not contain it.
 */
export interface Group {
  readonly members: readonly (ResourceClass | Group)[];
  readonly prefixes: readonly string[];
  readonly middleware: readonly MountableClass[];
  readonly [access]?: object | undefined;
}

/**
 * The types that a builder was given, for typed clients. Such a value does not exist. A method, because its parameters
 * compare in both directions: a function that takes a builder accepts it before and after `resources()`.
 */
export interface Collected<Prefix, Members, Failure = never> {
  /** Takes the prefixes before each path, the resource classes and groups, and the content of errors. */
  collect(prefix: Prefix, members: Members, failure: Failure): void;
}

/** The arguments of `resources()`: resource classes, groups, and arrays of them. */
export type Member<Class extends ResourceClass = ResourceClass> = Class | Group | readonly Member<Class>[];

/** Flattens the arguments of `resources()`. Refuses anything but classes and groups. */
export function flattened(members: readonly Member[]): (ResourceClass | Group)[] {
  return (members as readonly unknown[]).flat(Infinity).map((member) => {
    if (isGroup(member) || isConstructor(member)) return member;
    throw new TypeError(`Cannot add a resource: expected a class or a built group, got ${described(member)}`);
  });
}

export function groupedResources(
  members: readonly (ResourceClass | Group)[],
  prefixes: readonly string[],
  middleware: readonly MountableClass[],
  groups: readonly Group[] = [],
): readonly GroupedResource[] {
  return members.flatMap((member) => {
    if (!isGroup(member)) return { Class: member, prefixes, middleware, groups };
    const inner = prefixes.flatMap((outer) => member.prefixes.map((prefix) => joined(outer, prefix)));
    return groupedResources(member.members, inner, [...middleware, ...member.middleware], [...groups, member]);
  });
}

/**
 * Joins a prefix and a path with one slash between them. Returns what is not a path as it is: the parser refuses it.
 */
export function joined(prefix: string, path: string): string {
  const front = prefix.replace(/\/$/, "");
  if (front === "" || !path.startsWith("/")) return path;
  return path === "/" ? front : front + path;
}

/** Returns whether a value is a built group, of any module. */
export function isGroup(member: unknown): member is Group {
  return typeof member === "object" && member !== null && "members" in member && "prefixes" in member;
}

function isConstructor(value: unknown): value is ResourceClass {
  return typeof value === "function" && typeof value.prototype === "object" && value.prototype !== null;
}
