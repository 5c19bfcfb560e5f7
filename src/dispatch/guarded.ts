import { exchangesOf, originalOf } from "./input-exchange.ts";
import type { MountedMiddleware } from "./mounted-resource.ts";

/** The ways to authenticate that a middleware class declares, by name, as OpenAPI has them. */
export type DeclaredSecurity = Readonly<Record<string, { readonly type: string; readonly [member: string]: unknown }>>;

/** Returns `static security` of the class of a middleware, if there is any. */
export function securityOf(middleware: object): DeclaredSecurity | undefined {
  return (middleware as { readonly security?: DeclaredSecurity }).security;
}

/**
 * Returns whether a middleware that declares `static security` runs for a request: its answer may be for one user only.
 */
export function isGuarded(input: object): boolean {
  const exchanges = [...exchangesOf(input), ...exchangesOf(originalOf(input))];
  return exchanges.some(({ chain, method }) =>
    guardsIn(chain, method).some((guard) => securityOf(guard) !== undefined),
  );
}

/** Lists the classes of the middleware in a chain that runs for one of some methods, outermost first. */
export function guardsIn(chain: readonly MountedMiddleware[], ...methods: readonly string[]): object[] {
  return chain
    .filter(({ handlers }) => methods.some((method) => handlers[method] ?? handlers["ALL"]))
    .map(({ middleware }) => middleware.constructor);
}
