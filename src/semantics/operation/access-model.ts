import { access, type Group } from "../../application/grouped-resources.ts";
import type { MountedResource } from "../../dispatch/mounted-resource.ts";
import { described } from "../../http/javascript/described.ts";
import { isPlainObject } from "../../http/javascript/property.ts";
import type { Method, Operation } from "../declaration/operation.ts";
import type { GuardModel } from "./guards-model.ts";

/** Who may use an operation, besides whom its guards let through. */
export interface AccessModel {
  /** The scopes that the sender needs, all of them. */
  readonly scopes: readonly string[];
  /** The guards that grant scopes to whom they found. One of them must have granted all. */
  readonly grantors: readonly GrantingGuard[];
  /** Whether the operation is open to everybody on purpose. */
  readonly isAnonymous: boolean;
  /** The functions that decide who may at a path pattern, outermost first. */
  readonly mayAt: (pattern: string) => readonly MayRule[];
  /** The functions at all patterns. */
  readonly mays: readonly MayRule[];
}

export type GrantingGuard = GuardModel & { readonly granting: NonNullable<GuardModel["granting"]> };

/** A function that decides who may. */
export interface MayRule {
  /** The function or the object that users wrote: of two rules of one, the first is asked. */
  readonly may: unknown;
  readonly ask: (asked: object) => unknown;
  readonly hides: boolean;
  /** The place in which it was said, for messages. */
  readonly place: string;
}

/** The words of a group about who may use its resources. */
export interface GroupAccess {
  readonly mays: readonly unknown[];
  readonly isAnonymous: boolean;
}

/** The members by which a class says who may. */
export const accessMembers = ["anonymous", "may", "scopes"] as const;

type Said = Pick<Operation, (typeof accessMembers)[number]>;

/**
 * Reads who may use an operation.
 * @param guards those that run for its method.
 */
export function accessModelOf(
  { name, resource, patterns, groups }: MountedResource,
  method: Method,
  guards: readonly GuardModel[],
): AccessModel {
  const Class = resource.constructor as unknown as Said & Readonly<Record<string, unknown>>;
  const own = Object(Class[method]) as Said;
  const inside = [...rulesOf(Class.may, Class, `${name}.may`), ...rulesOf(own.may, own, `${name}.${method}.may`)];
  const around = (pattern: string): readonly GroupAccess[] =>
    groups[patterns.indexOf(pattern)]!.flatMap((group) => (group as Group)[access] ?? []) as readonly GroupAccess[];
  const mayAt = (pattern: string): readonly MayRule[] => [
    ...around(pattern).flatMap(({ mays }) =>
      mays.flatMap((may) => rulesOf(may, undefined, `${name}, by may() of a group`)),
    ),
    ...inside,
  ];
  return {
    scopes: own.scopes ?? [],
    grantors: guards.filter((guard): guard is GrantingGuard => guard.granting !== null),
    isAnonymous:
      own.anonymous ??
      Class.anonymous ??
      patterns.every((pattern) => around(pattern).some(({ isAnonymous }) => isAnonymous)),
    mayAt,
    mays: unique(patterns.flatMap(mayAt)),
  };
}

/** Whether a class, its operations or its groups say anything of who may. */
export function saysWhoMay({ resource, groups, methods }: MountedResource): boolean {
  const Class = resource.constructor as unknown as Readonly<Record<string, unknown>>;
  const said = [Class, ...methods.map((method) => Object(Class[method]) as object)];
  return (
    groups.flat().some((group) => access in group) || said.some((one) => accessMembers.some((member) => member in one))
  );
}

/** Joins what is said of the operations that another one is made of. Each function is asked once. */
export function joinedAccess(models: readonly AccessModel[]): Pick<AccessModel, "scopes" | "mayAt" | "mays"> {
  return {
    scopes: [...new Set(models.flatMap(({ scopes }) => scopes))],
    mayAt: (pattern) => unique(models.flatMap(({ mayAt }) => mayAt(pattern))),
    mays: unique(models.flatMap(({ mays }) => mays)),
  };
}

/**
 * Returns whether a guard has granted the sender of a request all scopes of an operation. Null if no guard that grants
 * knows who asks.
 * @throws {TypeError} when a guard grants something else than a list.
 */
export function hasScopes({ scopes, grantors }: AccessModel, request: object): boolean | null {
  let isKnown = false;
  for (const { granting, name } of grantors) {
    const identity = granting.identity.find(request);
    if (identity === undefined || identity === null || identity === false) continue;
    isKnown = true;
    const granted: unknown = granting.grants(identity);
    // A string has includes(), too: "readonly" must not pass for "read".
    if (!Array.isArray(granted)) {
      throw new TypeError(
        `Cannot check the scopes: expected ${name} to grant an array of them, got ${described(granted)}`,
      );
    }
    if (scopes.every((scope) => granted.includes(scope))) return true;
  }
  return isKnown ? false : null;
}

export function isMay(value: unknown): boolean {
  if (typeof value === "function") return true;
  if (!isPlainObject(value)) return false;
  const { ask, hides, ...others } = value as Readonly<Record<string, unknown>>;
  return typeof ask === "function" && hides === true && Object.keys(others).length === 0;
}

/** @param owner what the function may call `this`. */
function rulesOf(may: unknown, owner: unknown, place: string): MayRule[] {
  if (may === undefined) return [];
  const isFunction = typeof may === "function";
  const { ask, hides } = (isFunction ? { ask: may, hides: false } : may) as Pick<MayRule, "ask" | "hides">;
  return [{ may, ask: (asked) => Reflect.apply(ask, isFunction ? owner : may, [asked]), hides, place }];
}

function unique(all: readonly MayRule[]): readonly MayRule[] {
  if (all.length < 2) return all;
  return [...new Map(all.map((rule) => [rule.may, rule])).values()];
}
