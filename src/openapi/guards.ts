import type { DeclaredAnswer, SecurityScheme } from "../semantics/declaration/operation.ts";
import { answersOf, type AnswerModel } from "../semantics/operation/answer-model.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { Conversions } from "../semantics/schema/conversions.ts";

/** The declarations of the guards of an operation, by static members. */
export interface GuardDeclarations {
  readonly answers: readonly AnswerModel[];
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

/** Reads what the guards of an operation declare, outermost first. */
export function declarationsOf(guards: readonly object[], { method, mounted }: OperationModel): GuardDeclarations {
  const declared = guards as readonly Guard[];
  return {
    answers: declared.flatMap(({ answers = {} }) => [
      ...answersOf(typeof answers === "function" ? answers(method, mounted.resource) : answers, conversions).values(),
    ]),
    security: declared.flatMap(({ security, isSecurityOptional = false }) =>
      security === undefined ? [] : [{ schemes: security, isOptional: isSecurityOptional }],
    ),
  };
}

/** Of schemas that nothing reads or writes by. */
const conversions = new Conversions();

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
