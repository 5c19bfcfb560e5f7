import type { GuardSecurity, SecuritySchemes } from "../semantics/operation/guards-model.ts";

/**
 * Writes security requirements: the list is of alternatives, and each has a scheme of every guard. Null where nothing is required.
 *
 * @param add adds a scheme to the document, and returns its name there.
 */
export function requirementsOf(
  security: readonly GuardSecurity[],
  add: (name: string, scheme: SecuritySchemes[string]) => string,
): Record<string, string[]>[] | null {
  if (security.length === 0) return null;
  return security.reduce<Record<string, string[]>[]>(
    (alternatives, { schemes, isOptional }) => {
      const own = Object.entries(schemes).map(([name, scheme]) => ({ [add(name, scheme)]: [] }));
      const all = isOptional ? [...own, {}] : own;
      return alternatives.flatMap((one) => all.map((other) => ({ ...one, ...other })));
    },
    [{}],
  );
}
