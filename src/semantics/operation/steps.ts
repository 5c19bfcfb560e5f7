import { memberAnswersOf } from "./described-members.ts";
import { isValidated, type OperationModel } from "./operation-model.ts";

/** One question that is asked of a request. */
export interface Step {
  readonly question: string;
  /** The section of the RFC that has the answer. */
  readonly section: string;
  /**
   * The statuses by which an operation ends here, without declaring them. 405 is not its own: it says that there is
   * none.
   */
  readonly refusals: (model: OperationModel, path: PathTraits) => readonly number[];
}

/** What of a path matters for the answers of an operation there. */
export interface PathTraits {
  readonly hasParams: boolean;
  /** Whether a param has an expression. */
  readonly isConstrained: boolean;
}

/**
 * The steps of `perform()` by their numbers. 0 and what is below come before the line, and 15 after it. The file that
 * decides each, in `semantics/line/` if no folder is named:
 *
 * - 0: `dispatch/dispatcher.ts`; 1: `allowed.ts`; 2 and 4: `read-parts.ts`; 3: `access.ts`; 5: `read-taken.ts`
 * - 6: `request-conditions.ts`, and `semantics/socket.ts`; 7: `line-write.ts`; 8: `request-conditions.ts`
 * - 9: `read-taken.ts` and `read-content.ts`; 10: the handler, by `plan.ts`; 11 and 12: `declared-answer.ts`
 * - 13 and 14: `concluded-response.ts`; 15: `dispatch/error-response.ts`
 */
export const steps: Readonly<Record<number, Step>> = {
  [-1]: { question: "Does the middleware let it through?", section: "RFC 9110 §15.5.2", refusals: () => [] },
  0: {
    question: "Does a resource have the path?",
    section: "RFC 9110 §15.5.5",
    refusals: ({ isOnLine, isDeclared }, { hasParams, isConstrained }) => [
      ...(hasParams && (isOnLine || isDeclared) ? [400] : []),
      ...(isConstrained && isDeclared ? [404] : []),
    ],
  },
  1: { question: "Is the method allowed?", section: "RFC 9110 §15.5.6", refusals: () => [] },
  2: {
    question: "Does the path fit?",
    section: "RFC 9110 §15.5.5",
    refusals: ({ path }) => (path === null ? [] : [404]),
  },
  3: {
    question: "May the sender do this?",
    section: "RFC 9110 §15.5.4",
    refusals: ({ scopes, mays, answers }) => [
      ...(scopes.length > 0 ? [401, 403] : []),
      // What hides answers with the 404 that is declared.
      ...mays.flatMap(({ hides }) => (hides ? (answers.has(404) ? [] : [404]) : [403])),
    ],
  },
  4: {
    question: "Do query, fields and cookies fit?",
    section: "RFC 9110 §15.5.1",
    refusals: ({ query, headers, cookies, page }) =>
      query === null && headers === null && cookies === null && page === null ? [] : [400],
  },
  5: {
    question: "Is the content of a type that is taken?",
    section: "RFC 9110 §15.5.16",
    refusals: ({ isOnLine, method, content }) => {
      // A PUT of a part is refused, whatever else is taken (RFC 9110 §14.5).
      if (content === null) return isOnLine && method === "PUT" ? [400] : [];
      return [415];
    },
  },
  6: {
    question: "Is a representation acceptable?",
    section: "RFC 9110 §15.5.7",
    refusals: ({ isOnLine, produces, socket }) => [
      ...(isOnLine && produces.length > 0 ? [406] : []),
      ...(socket === null ? [] : [400, 403, 426]),
    ],
  },
  7: {
    question: "Is this a repeat?",
    section: "draft-ietf-httpapi-idempotency-key-header §2",
    // The member `idempotency` names them.
    refusals: () => [],
  },
  8: {
    question: "Do the preconditions hold?",
    section: "RFC 9110 §13.2.2",
    refusals: (model) => {
      if (isValidated(model)) return [304, 412];
      return model.hasValidator && !model.isRead ? [412] : [];
    },
  },
  9: {
    question: "Does the content fit?",
    section: "RFC 9110 §15.5.21",
    refusals: ({ content }) => {
      if (content === null) return [];
      return content.media.some(({ schema, raw }) => schema !== null || (raw !== null && "read" in raw))
        ? [400, 413, 422]
        : [400, 413];
    },
  },
  10: { question: "What does the handler answer?", section: "RFC 9110 §9", refusals: () => [] },
  12: { question: "Which fields has the answer?", section: "RFC 9110 §8", refusals: () => [] },
  13: { question: "Has the client got it?", section: "RFC 9110 §15.4.5", refusals: () => [] },
  14: {
    question: "Which part is it?",
    section: "RFC 9110 §14.2",
    refusals: ({ isOnLine, method, answers }) => {
      const isOfBytes = answers.get(200)?.media.some(({ raw }) => raw?.kind === "bytes") === true;
      return isOfBytes && isOnLine && method === "GET" ? [206, 416] : [];
    },
  },
  15: { question: "Which status is sent?", section: "RFC 9110 §15", refusals: () => [] },
};

/** Lists the statuses that an operation answers at a path without declaring them, each once. */
export function impliedStatusesOf(model: OperationModel, path: PathTraits): readonly number[] {
  const ofSteps = Object.values(steps).flatMap(({ refusals }) => refusals(model, path));
  return [...new Set([...ofSteps, ...Object.keys(memberAnswersOf(model)).map(Number)])];
}
