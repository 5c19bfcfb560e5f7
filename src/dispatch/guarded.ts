import { exchangesOf, originalOf } from "./input-exchange.ts";
import type { MountedMiddleware } from "./mounted-resource.ts";

/** The ways to authenticate that a middleware class declares, by name, as OpenAPI has them. */
export type DeclaredSecurity = Readonly<Record<string, { readonly type: string; readonly [member: string]: unknown }>>;

/** Names what a class of middleware makes of a request before the line reads it: `explain()` runs no middleware. */
export const readsAs: unique symbol = Symbol("readsAs");

export function securityOf(middleware: object): DeclaredSecurity | undefined {
  return (middleware as { readonly security?: DeclaredSecurity }).security;
}

/**
 * Returns whether a guard runs for a request: its answer may be for one user only. A guard is middleware that declares
 * `static security`, or 401 among its `static answers`.
 */
export function isGuarded(input: object): boolean {
  const exchanges = [...exchangesOf(input), ...exchangesOf(originalOf(input))];
  return exchanges.some(({ chain, method, mounted }) =>
    guardsIn(chain, method).some(
      (guard) => securityOf(guard) !== undefined || asksToSignIn(guard, method, mounted?.resource),
    ),
  );
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
