import { described } from "../../http/javascript/described.ts";
import type { ProblemError } from "../../http/protocol/problem-error.ts";
import { isStatus, type StatusPair } from "../../http/protocol/status-constant.ts";
import type { StatusConstant } from "../../http/protocol/status.ts";

/**
 * An answer with a status: what `reply()` returns.
 *
 * A Reply is not a `Response`: its content has not been written yet, so that tests compare values.
 */
export interface Reply<Status extends number = number, Content = unknown> {
  /** Distinguishes it from content. */
  readonly kind: "reply";
  /** The status code. */
  readonly status: Status;
  /** The content, as the status declares it. */
  readonly content: Content;
  /** The header fields. */
  readonly headers: ReplyHeaders | undefined;
}

/** A Reply whose header fields are known. */
export interface ReplyWithHeaders<
  Status extends number,
  Content,
  Fields extends ReplyHeaders | undefined,
> extends Reply<Status, Content> {
  readonly headers: Fields;
}

/** When the connection of a socket is closed: `null` has no end. */
export interface SocketEnd {
  /** The date, such as the end of a session. */
  readonly until: Date | null | undefined;
}

/** Header fields of an answer by their names. Case does not matter. */
export interface ReplyHeaders {
  /** Each cookie that is set: they cannot be one field line (RFC 6265 §3). */
  readonly "set-cookie"?: readonly string[] | undefined;
  /** Each cookie that is set: they cannot be one field line (RFC 6265 §3). */
  readonly "Set-Cookie"?: readonly string[] | undefined;
  /** The value of a field; `undefined` leaves it out. */
  readonly [name: string]: FieldValue | undefined;
}

/** The value of a header field of an answer; a list is a field line for each of its members. */
type FieldValue = string | number | bigint | boolean | Date | readonly string[];

/** Problem details: the content of an error (RFC 9457). The status fills in absent members. */
export interface Problem {
  /** A URI reference that names the type of the problem. Default: `about:blank`. */
  readonly type?: string | undefined;
  /** A short summary of the type. Default: the reason phrase of the status. */
  readonly title?: string | undefined;
  /** The status code. Default: the status of the answer. */
  readonly status?: number | undefined;
  /** What went wrong this time, for people. */
  readonly detail?: string | undefined;
  /** A URI reference that names this occurrence. */
  readonly instance?: string | undefined;
  /** The errors of a request. */
  readonly errors?: readonly ProblemError[] | undefined;
  /** Members of your own. */
  readonly [member: string]: unknown;
}

/**
 * Is on the prototype, so that a reply of another copy of the package is recognized, and nothing that JSON can hold.
 */
const mark = Symbol.for("fingerpost.Reply");

class ReplyValue implements Reply {
  readonly kind = "reply";
  /** The status code. */
  readonly status: number;
  readonly content: unknown;
  readonly headers: ReplyHeaders | undefined;

  constructor(status: number, content: unknown, headers: ReplyHeaders | undefined) {
    this.status = status;
    this.content = content;
    this.headers = headers;
  }
}
Object.defineProperty(ReplyValue.prototype, mark, { value: true });

/**
 * Answers with a declared status, its content and its header fields.
 *
 * A handler returns the content of 200 as it is; for any other status, or to set header fields, it returns a Reply.
 *
 * @param status the status code, or its constant of `Status`.
 * @param content the content, as the declaration of the status has it. An error that is declared by a string takes
 * problem details, or nothing.
 * @param headers the header fields. `set-cookie` is a list. Of 101: `{ until }`, when the connection is closed.
 * @example
 * ```ts
 * const missing = reply(404, { detail: "No book has this ISBN" });
 * const created = reply(201, { title: "Kindred" }, { location: "/books/9780807083697" });
 * const elsewhere = reply(303, undefined, { location: "/books" });
 * console.log(missing.status, created.content.title, elsewhere.headers.location); // 404 Kindred /books
 * ```
 */
export function reply<const Status extends AnyStatus>(status: Status | StatusPair<Status>): Reply<Status, undefined>;
/** Answers with a declared status and its content. */
export function reply<const Status extends AnyStatus, Content>(
  status: Status | StatusPair<Status>,
  content: Content | Verbatim,
): Reply<Status, Content>;
/** Answers with a declared status, its content and its header fields. */
export function reply<const Status extends AnyStatus, Content, Fields extends ReplyHeaders>(
  status: Status | StatusPair<Status>,
  content: Content | Verbatim,
  headers: Fields | VerbatimHeaders | (Status extends 101 ? SocketEnd : never),
): ReplyWithHeaders<Status, Content, Fields>;
export function reply(status: number | StatusPair, content?: unknown, headers?: object): Reply {
  const code = isStatus(status) ? status.status : status;
  if (!Number.isInteger(code)) throw notStatus(status, content);
  return new ReplyValue(code, content, headers as ReplyHeaders | undefined);
}

/** Content came first, as in other frameworks, or what has a status: a problem, a response. */
function notStatus(given: unknown, content: unknown): TypeError {
  const code = [Object(given).status, content, Number(given)].find(Number.isInteger) ?? 200;
  return new TypeError(
    `Cannot call reply(): expected a status code, got ${described(given)}; write reply(${code}, content)`,
  );
}

/** Returns whether a value came from `reply()`, of this copy of the package or of another one. */
export function isReply(value: unknown): value is Reply {
  return typeof value === "object" && value !== null && mark in value;
}

/** Any number, of which editors list the codes of the registry. */
type AnyStatus = StatusConstant["status"] | (number & {});

/**
 * Makes the compiler keep literals and tuples in a value. `{ code: "taken" }` has a `code` of "taken", not of any
 * string, so that it fits a declared union. Values do not get this type.
 */
type Verbatim = "" | 0 | 0n | true | VerbatimMembers | readonly Verbatim[] | readonly [];
interface VerbatimMembers {
  readonly [member: string]: Verbatim;
}
interface VerbatimHeaders {
  readonly [name: string]: "" | 0 | 0n | true;
}
