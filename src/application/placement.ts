import type { MountableClass } from "../dispatch/mounted-resource.ts";
import { described } from "../http/described.ts";
import type { Resource } from "./resource.ts";

/** A class of resources, as it is given to a builder. */
export type ResourceClass = new (...dependencies: never[]) => Resource;

/** A resource class where it was put: below which prefixes, inside which middleware. */
export interface Placement {
  readonly Class: ResourceClass;
  readonly prefixes: readonly string[];
  readonly middleware: readonly MountableClass[];
}

/** What a `ResourceGroup` is to a builder, which does not name its class: a program without groups holds nothing of it. */
export interface Group {
  readonly members: readonly (ResourceClass | Group)[];
  readonly prefixes: readonly string[];
  readonly middleware: readonly MountableClass[];
}

/**
 * The types that a builder was given, for typed clients; no such value exists.
 *
 * A method, whose parameters compare in both directions: a function that takes a builder takes it before and after `resources()`.
 */
export interface Collected<Prefix, Members> {
  /** Takes the prefixes in front of each path, and the resource classes and groups. */
  collect(prefix: Prefix, members: Members): void;
}

/** What `resources()` takes: resource classes, groups, and arrays of them. */
export type Member<Class extends ResourceClass = ResourceClass> = Class | Group | readonly Member<Class>[];

/** Flattens what `resources()` was given, and refuses what is neither a class nor a group. */
export function flattened(members: readonly Member[]): (ResourceClass | Group)[] {
  return (members as readonly unknown[]).flat(Infinity).map((member) => {
    if (isGroup(member) || isConstructor(member)) return member;
    throw new TypeError(`Cannot add a resource: expected a class or a built group, got ${described(member)}`);
  });
}

/** Says of each resource class below which prefixes and inside which middleware it stands. */
export function* placements(
  members: readonly (ResourceClass | Group)[],
  prefixes: readonly string[],
  middleware: readonly MountableClass[],
): Iterable<Placement> {
  for (const member of members) {
    if (isGroup(member)) {
      const inner = prefixes.flatMap((outer) => member.prefixes.map((prefix) => joined(outer, prefix) as string));
      yield* placements(member.members, inner, [...middleware, ...member.middleware]);
    } else yield { Class: member, prefixes, middleware };
  }
}

/** Puts a prefix in front of a path, with one slash between them; what is not a path is left to the parser to refuse. */
export function joined(prefix: string, path: unknown): unknown {
  const front = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
  if (front === "" || typeof path !== "string" || !path.startsWith("/")) return path;
  return path === "/" ? front : front + path;
}

function isGroup(member: unknown): member is Group {
  return typeof member === "object" && member !== null && "members" in member && "prefixes" in member;
}

function isConstructor(value: unknown): value is ResourceClass {
  return typeof value === "function" && typeof value.prototype === "object" && value.prototype !== null;
}
