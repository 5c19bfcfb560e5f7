import type { DeclaredAnswer, SecurityScheme } from "../declaration/operation.ts";
import { Conversions } from "../schema/conversions.ts";
import { answersOf, type AnswerModel } from "./answer-model.ts";
import type { OperationModel } from "./operation-model.ts";

/** The declarations of the guards of an operation, which are static members. */
export interface GuardsModel {
  readonly answers: readonly AnswerModel[];
  /** The ways to authenticate of each guard: one of each will do. */
  readonly security: readonly GuardSecurity[];
}

/** The ways to authenticate of one guard. */
export interface GuardSecurity {
  readonly schemes: SecuritySchemes;
  /** Whether a request without credentials passes. */
  readonly isOptional: boolean;
}

/** Ways to authenticate, by name. */
export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>;

/** Static members of a middleware class. */
interface Guard {
  readonly security?: SecuritySchemes | undefined;
  readonly isSecurityOptional?: boolean | undefined;
  readonly answers?: Answers | ((method: string, resource: object) => Answers) | undefined;
}

type Answers = Readonly<Record<number, DeclaredAnswer>>;

/** Reads what the guards of an operation declare, outermost first. */
export function guardsModelOf(guards: readonly object[], { method, mounted }: OperationModel): GuardsModel {
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
