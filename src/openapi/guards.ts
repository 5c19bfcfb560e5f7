import type { DeclaredAnswer, SecurityScheme } from "../semantics/declaration/operation.ts";

/** The declarations of the guards of an operation, by static members. */
export interface GuardDeclarations {
  readonly answers: readonly (readonly [status: number, answer: DeclaredAnswer])[];
  /** The ways to authenticate of each guard: one of each will do. */
  readonly security: readonly GuardSecurity[];
}

interface GuardSecurity {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** Whether a request without credentials passes. */
  readonly isOptional: boolean;
}

/** Static members of a middleware class. */
interface Guard {
  readonly security?: Readonly<Record<string, SecurityScheme>> | undefined;
  readonly isSecurityOptional?: boolean | undefined;
  readonly answers?: Answers | ((method: string, resource: object) => Answers) | undefined;
}

type Answers = Readonly<Record<number, DeclaredAnswer>>;

/** Reads what guards declare of a method, outermost first. */
export function declarationsOf(guards: readonly object[], method: string, resource: object): GuardDeclarations {
  const declared = guards as readonly Guard[];
  return {
    answers: declared.flatMap(({ answers = {} }) =>
      Object.entries(typeof answers === "function" ? answers(method, resource) : answers).map(
        ([status, answer]) => [Number(status), answer as DeclaredAnswer] as const,
      ),
    ),
    security: declared.flatMap(({ security, isSecurityOptional = false }) =>
      security === undefined ? [] : [{ schemes: security, isOptional: isSecurityOptional }],
    ),
  };
}

/**
 * Writes security requirements: the list is of alternatives, and each has a scheme of every guard. Null where nothing is required.
 *
 * @param add adds a scheme to the document, and returns its name there.
 */
export function requirementsOf(
  security: readonly GuardSecurity[],
  add: (name: string, scheme: SecurityScheme) => string,
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
