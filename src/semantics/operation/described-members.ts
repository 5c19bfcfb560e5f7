import { keyAnswers } from "../../writes/refusals.ts";
import type { Deprecation } from "../declaration/operation.ts";
import type { MemberName } from "./members.ts";
import type { OperationModel } from "./operation-model.ts";

/** What documents, client types, `drift()` and `explain()` say of one member of an operation. */
export interface DescribedMember {
  /** The statuses that an operation answers because of it, without declaring them, each with its meaning. */
  readonly answers: ((model: OperationModel) => Readonly<Record<number, string>>) | null;
  /** The header fields of requests that it reads. */
  readonly parameters: ((model: OperationModel) => readonly RequestField[]) | null;
  /** The descriptions of the header fields of answers that it alone is the reason of, by name. */
  readonly fieldTexts: Readonly<Record<string, string>> | null;
  /**
   * The members that the operation of a document gets from it. `"joined"`: the writer of documents joins the value with
   * what is said elsewhere.
   */
  readonly documented: ((model: OperationModel) => object) | "joined" | null;
  /** What `explain()` says of it, before the handler. */
  readonly question: readonly [question: string, section: string, findingOf: (model: OperationModel) => string] | null;
}

/** A header field of requests, as documents describe it. */
export interface RequestField {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly isRequired: boolean;
}

const unsaid: DescribedMember = {
  answers: null,
  parameters: null,
  fieldTexts: null,
  documented: null,
  question: null,
};
const joined: DescribedMember = { ...unsaid, documented: "joined" };

/** A row for each member that `members.ts` has. */
export const describedMembers: Record<string, DescribedMember> = {
  // No two operations have one id.
  id: joined,
  summary: joined,
  // A description names each of the operations at one place.
  description: joined,
  cache: unsaid,
  shared: unsaid,
  tags: joined,
  audience: { ...unsaid, documented: ({ declaration }) => ({ "x-audience": declaration.audience }) },
  deprecated: {
    ...unsaid,
    fieldTexts: {
      Deprecation: "The day from which the operation is deprecated (RFC 9745)",
      Sunset: "The day from which the operation may be gone (RFC 8594)",
    },
    // OpenAPI has no place for the day on which an operation ends. Tools that compare documents read `x-sunset`.
    documented: ({ declaration: { deprecated } }) => {
      if (deprecated === false) return {};
      const { sunset } = deprecated as Partial<Deprecation>;
      return { deprecated: true, ...(sunset === undefined ? {} : { "x-sunset": sunset }) };
    },
    question: [
      "Is the operation deprecated?",
      "RFC 9745 §2",
      ({ declaration: { deprecated } }) => {
        const { since, sunset } = deprecated as Partial<Deprecation>;
        if (since === undefined) return deprecated === true ? "yes" : "no";
        return `yes: from ${since} on${sunset === undefined ? "" : `, and gone from ${sunset} on`}`;
      },
    ],
  },
  scopes: joined,
  may: unsaid,
  anonymous: joined,
  examples: joined,
  security: joined,
  precondition: {
    ...unsaid,
    answers: ({ isOnLine, takesPreconditions }): Readonly<Record<number, string>> =>
      isOnLine && takesPreconditions ? { 428: "The request needs a precondition, such as If-Match" } : {},
  },
  idempotency: {
    ...unsaid,
    answers: () => keyAnswers,
    parameters: ({ declaration }) => [
      {
        name: "Idempotency-Key",
        description: "Names this request: a repeat with the same key gets the first answer",
        isRequired: declaration.idempotency === true,
        schema: { type: "string", minLength: 1, maxLength: 255 },
      },
    ],
    fieldTexts: {
      "Idempotent-Replayed": "Says that it is the first answer to this key",
      "Retry-After": "When to come back",
    },
  },
  etag: unsaid,
  tool: unsaid,
} satisfies Readonly<Record<MemberName, DescribedMember>>;

export function describedMembersOf({ declaration }: Pick<OperationModel, "declaration">): readonly DescribedMember[] {
  return Object.entries(declaration).flatMap(([name, value]) =>
    value === undefined ? [] : (describedMembers[name] ?? []),
  );
}

/** The statuses that an operation answers because of its members, each with its meaning. */
export function memberAnswersOf(model: OperationModel): Readonly<Record<number, string>> {
  const all = describedMembersOf(model).map(({ answers }) => answers?.(model) ?? {});
  return Object.assign({}, ...all) as Readonly<Record<number, string>>;
}
