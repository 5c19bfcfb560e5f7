import type { InferInput, InferOutput, StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { Reply, ReplyHeaders, ReplyWithHeaders } from "./reply.ts";

/** The content of an error of a known type, or of one of several: a Standard Schema of problem details (RFC 9457). */
export interface ProblemContent<Status extends number = number, Given = unknown, Sent = Given> {
  /** The properties of a Standard Schema. */
  readonly "~standard": StandardSchema<Given, Sent>["~standard"];
  /** The status code. */
  readonly status: Status;
  /** A short summary of the type, or of each of them. */
  readonly title: string;
  /**
   * Declares that an error with this status is of one of several types.
   *
   * @throws {TypeError} when the other problem has another status, or the same type.
   */
  or<OtherGiven, OtherSent>(
    other: ProblemContent<Status, OtherGiven, OtherSent>,
  ): ProblemContent<Status, Given | OtherGiven, Sent | OtherSent>;
}

/**
 * A type of problems: what `problem()` returns. Called with the members of an occurrence, it returns the answer.
 *
 * @typeParam Type the URI reference of the type.
 * @typeParam Status the status code.
 * @typeParam Members the schema of the members that only this type has.
 */
export interface ProblemType<
  Type extends string = string,
  Status extends number = number,
  Members = undefined,
> extends ProblemContent<Status, GivenProblem<Type, Status, Members>, SentProblem<Type, Status, Members>> {
  /** Answers with the problem: the members of its schema, and what this occurrence is about. */
  (
    ...members: {} extends MembersOf<Members> ? [members?: OccurrenceOf<Members>] : [members: OccurrenceOf<Members>]
  ): Reply<Status, GivenProblem<Type, Status, Members>>;
  /** Answers with the problem and header fields. */
  <Fields extends ReplyHeaders>(
    members: OccurrenceOf<Members>,
    headers: Fields,
  ): ReplyWithHeaders<Status, GivenProblem<Type, Status, Members>, Fields>;
}

/** The members that differ from one occurrence to another. */
interface Occurrence {
  /** A short summary of the type. Default: that of the declaration. */
  readonly title?: string | undefined;
  /** What went wrong this time, for people. */
  readonly detail?: string | undefined;
  /** A URI reference that names this occurrence. */
  readonly instance?: string | undefined;
}

type OccurrenceOf<Members> = Occurrence & MembersOf<Members>;
type MembersOf<Members> = Members extends StandardSchema ? InferInput<Members> : {};

/** What a handler returns. */
type GivenProblem<Type, Status, Members> = Occurrence & {
  readonly type: Type;
  readonly status?: Status | undefined;
} & MembersOf<Members>;

/** What a client gets. */
type SentProblem<Type, Status, Members> = Occurrence & {
  readonly type: Type;
  readonly title: string;
  readonly status: Status;
} & (Members extends StandardSchema ? InferOutput<Members> : {});

/** What `problem()` and `or()` returned. */
const made = new WeakSet<object>();

export function markProblem<Content extends object>(content: Content): Content {
  made.add(content);
  return content;
}

export function isProblemContent(value: unknown): value is ProblemContent {
  return (typeof value === "object" || typeof value === "function") && value !== null && made.has(value);
}

/** Returns the problems that the declaration of an answer holds, or null. */
export function problemIn(answer: unknown): ProblemContent | null {
  if (isProblemContent(answer)) return answer;
  const { content } = Object(answer) as { readonly content?: unknown };
  if (isProblemContent(content)) return content;
  return Object.values(Object(content) as object).find(isProblemContent) ?? null;
}
