import { refusalAnswer, type Answer } from "../http/answer/carried-answer.ts";
import { quoted } from "../http/javascript/described.ts";
import { headersInitOf, type HeadersOrList } from "../http/answer/field-list.ts";
import { isContentless } from "../http/protocol/contentless-status.ts";
import { HTTPError, fieldsOfError } from "../http/protocol/http-error.ts";
import type { LightRequest } from "../http/message/light-request.ts";
import { lightResponse } from "../http/message/light-response.ts";
import type { ProblemError } from "../http/protocol/problem-error.ts";
import { outages } from "../http/protocol/outages.ts";
import { internalServerError } from "../http/protocol/status-constant.ts";
import { pathIn, type Input } from "./input.ts";
import { Params } from "./params.ts";

/** Problem details of an error (RFC 9457). */
export interface ProblemDetails {
  /** The reason phrase of the status. */
  readonly title: string;
  /** The status code. */
  readonly status: number;
  /** What went wrong, for people. */
  readonly detail?: string | undefined;
  /** The problems of the request, one by one. */
  readonly errors?: readonly ProblemError[] | undefined;
  /** Members of a declared answer. */
  readonly [member: string]: unknown;
}

/**
 * The format of error responses of an application.
 *
 * @typeParam Content the type of the values that the schema returns.
 */
export interface Problems<Content = unknown> {
  /** The schema of the content: a Standard Schema, by which documents describe errors. */
  readonly schema: { readonly "~standard": { readonly types?: { readonly output: Content } | undefined } };
  /** The media type of the content. Default: `application/problem+json`. */
  readonly type?: string | undefined;
  /**
   * Makes the content of an error. It is written as JSON; a string of another media type is sent as it is.
   *
   * @param problem the details that the client may see.
   * @param error the error that was thrown; `undefined` for an error that a handler declares and returns.
   * @param input the input of the application.
   */
  from(problem: ProblemDetails, error: unknown, input: object): Content;
}

/**
 * Returns whether the server is at fault: an unknown error, or one whose status is 5xx or cannot end a response. Its
 * message stays here, and the host must learn of it.
 */
export function isServerFault(error: unknown): boolean {
  if (!(error instanceof HTTPError)) return true;
  const { status, statusText, message } = error;
  // A method that nobody has is the client's choice. Whoever throws 501 says why.
  return status < 200 || (status >= 500 && !(status === 501 && message === statusText));
}

/**
 * Describes an error to the client as problem details (RFC 9457). If the server is at fault, it holds no more than the
 * reason phrase. An unknown error gets 500, and so does a status that cannot end a response (1xx). Statuses without
 * content get none (RFC 9110 §6.4.1).
 */
export function errorAnswer(error: unknown, shape: Problems | null, input: object): Answer {
  const known = answerable(error);
  const { status, statusText } = known ?? internalServerError;
  const answer = refusalAnswer(error);
  answer.status = status;
  answer.reason = statusText;
  if (known !== null) for (const [name, value] of fieldsOfError(known)) answer.fields.append(name, value);
  if (isContentless(status)) return answer;
  const [type, text] = writtenProblem(detailsOf(known), shape, error, input);
  answer.content = text;
  const { ownFields } = answer;
  // PERF: a list that nobody changes takes 0.2 us of 1.8 less on Bun (`node bench/requests.js`, R6 404).
  if (ownFields === null) answer.lines = ["content-type", type];
  else {
    // `Content-Length` and `Content-Encoding` describe the content of the response that the error was made from.
    for (const name of ["content-length", "content-encoding"]) ownFields.delete(name);
    ownFields.set("content-type", type);
  }
  return answer;
}

/** Returns an error whose status can end a response. Null for any other, which gets 500. */
function answerable(error: unknown): HTTPError | null {
  return error instanceof HTTPError && error.status >= 200 ? error : null;
}

function detailsOf(known: HTTPError | null): ProblemDetails {
  const { status, statusText } = known ?? internalServerError;
  const told = status < 500 ? known : null;
  const detail = told?.message === statusText ? undefined : told?.message;
  // JSON leaves out undefined members.
  return { title: statusText, status, detail, errors: told?.errors };
}

/**
 * Writes problem details in the shape of an application. If its `from()` throws, the console gets what it threw, and
 * they are written as they are.
 */
export function writtenProblem(
  problem: ProblemDetails,
  shape: Problems | null,
  error: unknown,
  input: object,
): [type: string, text: string] {
  const type = "application/problem+json";
  if (shape) {
    try {
      const given = shape.from(problem, error, input);
      const own = shape.type ?? type;
      return [own, typeof given === "string" && !/[/+]json *(;|$)/i.test(own) ? given : JSON.stringify(given)];
    } catch (fault) {
      print(fault);
    }
  }
  return [type, JSON.stringify(problem)];
}

/**
 * Returns whether an error says that the client left, which is nobody's fault. It is the reason of the input's signal,
 * or caused by it as the error of a `fetch()` is.
 */
export function saysThatClientLeft(error: unknown, input: object): boolean {
  const { signal } = input as { readonly signal?: AbortSignal };
  return !!signal?.aborted && isCausedBy(error, signal.reason);
}

/** Returns whether an error is another one, or has it among its causes. Bounded, because causes may form a circle. */
export function isCausedBy(error: unknown, cause: unknown, depth = 8): boolean {
  return error === cause || (depth > 0 && !!error && isCausedBy((error as Error).cause, cause, depth - 1));
}

/** What else names a request in printed errors, and how it is found: its id, and its trace. */
export const requestNames: Map<string, (input: object) => string | undefined> = new Map();

/**
 * Writes an error that is the server's fault to the console, below a line that names method, path, pattern, resource,
 * id and trace.
 */
export function reportServerFault(error: unknown, input: Input): void {
  // If there was no input, the error says so.
  const known = (input ?? {}) as Input & { readonly params?: unknown };
  if (!isServerFault(error) || saysThatClientLeft(error, known)) return;
  const { method, url, params } = known;
  const path = quoted(pathIn(String(url)).slice(0, 80));
  const names = [...requestNames].map(([kind, nameOf]) => (nameOf(known) ? `, ${kind} ${nameOf(known)}` : ""));
  const request = `${String(method).slice(0, 80)} ${path}${Params.ownerOf(params)}${names.join("")}`;
  const cause = error instanceof HTTPError ? error.cause : error;
  const outage = outages.get(Object(cause) as object);
  if (outage?.isTold(print) === true) return;
  // By "%s", because client text may hold a format specifier.
  print("%s:", request, outage?.lineOf(cause as Error) ?? error);
}

/**
 * Writes to the console, even values that cannot be printed. A getter of an error may throw, and so may a replaced
 * console.
 */
export function print(...values: unknown[]): void {
  for (const printed of [values, ["An error that cannot be printed"]]) {
    try {
      return console.error(...printed);
    } catch {
      // A failure to print must not keep the answer from going out.
    }
  }
}

/**
 * Makes a `Response` from an error. An error that cannot be read or sent, such as a revoked Proxy, is unknown.
 * @param left the fields that middleware left for it.
 */
export function errorResponse(
  error: unknown,
  shape: Problems | null,
  input: object,
  left: HeadersOrList | null = null,
): Response {
  try {
    return responseOf(error, shape, input, left);
  } catch (fault) {
    if (!shape) return responseOf(undefined, null, input, left);
    print(fault);
    return errorResponse(error, null, input, left);
  }
}

function responseOf(error: unknown, shape: Problems | null, input: object, left: HeadersOrList | null): Response {
  const Class = (input as Partial<LightRequest> | undefined)?.[lightResponse];
  const answer = errorAnswer(error, shape, input);
  if (left !== null) addLeft(answer.fields, left);
  const { status, reason: statusText, lines, content } = answer;
  // A light class takes the list as it is.
  const headers = Class === undefined ? headersInitOf(lines) : (answer.fields as object as Headers);
  return new (Class ?? Response)(content as string | null, { status, statusText, headers });
}

/**
 * Adds the fields that middleware left for a response made from an error. The response's own fields stay. `Vary` and
 * `Set-Cookie` add up.
 */
export function addLeft(fields: Pick<HeadersOrList, "has" | "append">, left: Iterable<[string, string]>): void {
  for (const [name, value] of left) {
    if (name === "vary" || name === "set-cookie" || !fields.has(name)) fields.append(name, value);
  }
}
