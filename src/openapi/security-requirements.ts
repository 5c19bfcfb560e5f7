import type { GuardModel, SecuritySchemes } from "../semantics/operation/guards-model.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";

type Requirement = Record<string, string[]>;

/** What asks for credentials: a guard, or the ways to authenticate that an operation declares. */
type Asking = Pick<GuardModel, "security" | "isOptional"> & Partial<Pick<GuardModel, "scopes" | "granting">>;

/**
 * Writes security requirements: the list is of alternatives, and each has a scheme of every guard. Of guards that grant
 * scopes, one has all that the operation needs. Null where nothing is required, and empty where everybody may on
 * purpose.
 * @param add adds a scheme to the document, and returns its name there.
 */
export function requirementsOf(
  { guards, grantors, scopes, declaration, isAnonymous }: OperationModel,
  add: (name: string, scheme: SecuritySchemes[string]) => string,
): Requirement[] | null {
  const own: Asking = { security: declaration.security ?? {}, isOptional: declaration.anonymous === true };
  // A guard whose token is read by a function has no scheme that anyone could name.
  const required = [...guards, own].filter(({ security }) => Object.keys(security ?? {}).length > 0);
  if (required.length === 0) return isAnonymous ? [] : null;
  const identities = new Set(grantors.map(({ granting }) => granting.identity));
  const carriers =
    scopes.length === 0 ? [] : required.filter((one) => one.granting && identities.has(one.granting.identity));
  return (carriers.length === 0 ? [null] : carriers).flatMap((carrier) =>
    required.reduce<Requirement[]>(
      (alternatives, one) => {
        const needed = [...new Set([...(one.scopes ?? []), ...(one === carrier ? scopes : [])])];
        const ways = Object.entries(one.security!).map(([name, scheme]) => ({ [add(name, scheme)]: needed }));
        const isLeftOut = one.isOptional && one !== carrier;
        const here = isLeftOut ? [...(carrier === null ? ways : []), {}] : ways;
        return alternatives.flatMap((before) => here.map((way) => ({ ...before, ...way })));
      },
      [{}],
    ),
  );
}
