import type { ReceivedAnswer } from "../semantics/declaration/client-content.ts";
import type { StatusKey, StatusOf } from "../semantics/declaration/operation.ts";
import type { Problem } from "../semantics/declaration/reply.ts";

/**
 * One result for each declared status. Keys that have a name cost the compiler less than keys that are written twice.
 */
export type DeclaredResult<O, Keys extends keyof O & StatusKey, Failure> = {
  readonly [Key in Keys]: ClientResult<StatusOf<Key>, O[Key], Failure>;
}[Keys];

/**
 * The answer with a declared status. Compare `status`, or ask `ok`, to have the compiler know the content.
 *
 * @typeParam Declared what the operation declares for the status.
 * @typeParam Failure the content of errors.
 */
export interface ClientResult<Status extends number, Declared, Failure = Problem> {
  /** The status code. */
  readonly status: Status;
  /** Whether the status is from 200 to 299. */
  readonly ok: Status extends OkStatus ? true : false;
  /** The content as it crossed the wire: a date is a string. It is `undefined` where there is none. */
  readonly content: ReceivedAnswer<Status, Declared, Failure>;
  /** The header fields. */
  readonly headers: Headers;
  /** The response, whose content has been read. */
  readonly response: Response;
  /** Returns the content of an answer that is OK. @throws {ResponseError} when it is not. */
  orThrow(): Status extends OkStatus ? ReceivedAnswer<Status, Declared, Failure> : never;
}

type OkStatus = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;

/**
 * The answer of a guard, or of the framework, which refuse requests with problem details, or with the format of
 * `problems()`.
 *
 * @typeParam Failure the content of errors.
 * @typeParam Status the status codes: 404 is among them where a schema of the path may refuse.
 */
export interface Refused<Failure = Problem, Status extends number = RefusedStatus> {
  /** The status code. */
  readonly status: Status;
  /** Whether the status is from 200 to 299. */
  readonly ok: false;
  /** Problem details, or what `problems()` makes of them. */
  readonly content: RefusalOf<Failure>;
  /** The header fields. */
  readonly headers: Headers;
  /** The response, whose content has been read. */
  readonly response: Response;
  /** Throws. @throws {ResponseError} always. */
  orThrow(): never;
}

/**
 * Stands beside the results of a call until `ok` or `status` is compared. Until then `content` has no members, because
 * `title` could be that member of problem details. A comparison leaves nothing whose `ok` and `status` are `never`.
 */
export interface Uncompared extends Omit<Refused, "status" | "ok" | "content"> {
  /** The status code, which no answer has. */
  readonly status: never;
  /** No value. */
  readonly ok: never;
  /** Content without members. Messages show the name of its type. */
  readonly content: AskOkFirst;
}
interface AskOkFirst {}

/**
 * Problem details of a guard or of the framework. They have no type, so that a comparison of `type` rules
 * them out beside a `problem()` that the operation declares.
 */
export interface UntypedProblem extends Problem {
  readonly type?: "about:blank" | undefined;
}

/** What `problems()` makes of errors stays as it is. */
type RefusalOf<Failure> = [Failure, Problem] extends [Problem, Failure] ? UntypedProblem : Failure;

/**
 * Statuses by which a framework refuses. Left out are statuses that it leaves to handlers, as it mostly does 404,
 * because whoever compares one of them knows its content.
 */
type RefusedStatus = 400 | 401 | 403 | 405 | 406 | 408 | 412 | 413 | 414 | 415 | 416 | 421 | 422 | 428 | 429 | 431;
