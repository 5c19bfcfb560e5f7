import type { GuardModel, SecuritySchemes } from "../semantics/operation/guards-model.ts";

/**
 * Writes security requirements: the list is of alternatives, and each has a scheme of every guard. Null where nothing
 * is required.
 * @param add adds a scheme to the document, and returns its name there.
 */
export function requirementsOf(
  guards: readonly Pick<GuardModel, "security" | "isOptional">[],
  add: (name: string, scheme: SecuritySchemes[string]) => string,
): Record<string, string[]>[] | null {
  // A guard whose token is read by a function has no scheme that anyone could name.
  const required = guards.filter(({ security }) => security !== null && Object.keys(security).length > 0);
  if (required.length === 0) return null;
  return required.reduce<Record<string, string[]>[]>(
    (alternatives, { security, isOptional }) => {
      const own = Object.entries(security!).map(([name, scheme]) => ({ [add(name, scheme)]: [] }));
      const all = isOptional ? [...own, {}] : own;
      return alternatives.flatMap((one) => all.map((other) => ({ ...one, ...other })));
    },
    [{}],
  );
}
