import { exchangesOf, originalOf } from "./input-exchange.ts";
import type { MountedMiddleware, MountedResource } from "./mounted-resource.ts";
import { Params } from "./params.ts";

/** The ways to authenticate that a middleware class declares, by name, as OpenAPI has them. */
export type DeclaredSecurity = Readonly<Record<string, { readonly type: string; readonly [member: string]: unknown }>>;

/** Names what a class of middleware makes of a request before the line reads it: `explain()` runs no middleware. */
export const readsAs: unique symbol = Symbol("readsAs");

/** The static members of a guard that grants scopes. */
export interface Granting {
  /** The attribute with the identity that the guard found; nothing where it found none. */
  readonly identity: { find(input: object): unknown };
  /** Returns the scopes of an identity. */
  readonly grants: (identity: unknown) => readonly string[];
}

/**
 * Names the static method of a guard of this package that writes its challenge (RFC 9110 §11.6.1). For 403 it is given
 * the scopes that are needed.
 */
export const challengeFor: unique symbol = Symbol("challengeFor");

/** Names the attribute of users that a guard of this package sets besides its own. */
export const setsIdentity: unique symbol = Symbol("setsIdentity");

/** Reads what a class of middleware grants; null for one that grants nothing. */
export function grantingOf(middleware: object): Granting | null {
  const { grants, identity } = middleware as Partial<Granting>;
  return grants === undefined ? null : { grants, identity: identity! };
}

/** Returns whether middleware declares how it asks who sends a request. */
export function isGuard(middleware: object): boolean {
  return (securityOf(middleware) ?? grantingOf(middleware)) !== null;
}

export function securityOf(middleware: object): DeclaredSecurity | undefined {
  return (middleware as { readonly security?: DeclaredSecurity }).security;
}

/**
 * Returns whether a guard runs for a request: its answer may be for one user only. A guard is middleware that declares
 * `static security` or `static grants`, or 401 among its `static answers`. The resource may ask, too.
 */
export function isGuarded(input: object): boolean {
  if (isAsked(input)) return true;
  const exchanges = [...exchangesOf(input), ...exchangesOf(originalOf(input))];
  return exchanges.some(({ chain, method, mounted }) =>
    guardsIn(chain, method).some((guard) => isGuard(guard) || asksToSignIn(guard, method, mounted?.resource)),
  );
}

/** Returns whether the resource of a request asks who may. */
export function isAsked(input: object): boolean {
  const { params } = input as { readonly params?: unknown };
  return (Params.mountedOf(params) as MountedResource | null)?.isAsked === true;
}

/** 401 says that credentials are missing (RFC 9110 §15.5.2), wherever they are read from. */
function asksToSignIn(guard: object, method: string, resource: object | undefined): boolean {
  const { answers } = guard as { readonly answers?: object | ((method: string, resource?: object) => object) };
  const declared = typeof answers === "function" ? answers(method, resource) : answers;
  return declared !== undefined && Object.hasOwn(declared, 401);
}

/** Lists the classes of the middleware in a chain that runs for one of some methods, outermost first. */
export function guardsIn(chain: readonly MountedMiddleware[], ...methods: readonly string[]): object[] {
  return chain
    .filter(({ handlers }) => methods.some((method) => handlers[method] ?? handlers["ALL"]))
    .map(({ middleware }) => middleware.constructor);
}
