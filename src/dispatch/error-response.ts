import { copiedResponse } from "../http/copied-response.ts";
import { quoted } from "../http/described.ts";
import { HTTPError } from "../http/http-error.ts";
import { internalServerError } from "../http/status-constant.ts";
import { pathIn, type Input } from "./input.ts";
import { Params } from "./params.ts";

/** What a response made from an error holds. */
export interface Problem {
  /** The status code. */
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Null where the status has no content. */
  readonly body: string | null;
}

/** Problem details of an error (RFC 9457). */
export interface ProblemDetails {
  /** The reason phrase of the status. */
  readonly title: string;
  /** The status code. */
  readonly status: number;
  /** What went wrong, for people. */
  readonly detail?: string | undefined;
  /** What does not fit in the request, one by one. */
  readonly errors?: readonly object[] | undefined;
  /** Members of a declared answer. */
  readonly [member: string]: unknown;
}

/**
 * The shape that errors have in an application.
 *
 * @typeParam Content the type of the values that the schema returns.
 */
export interface Problems<Content = unknown> {
  /** The schema of the content: a Standard Schema, by which documents describe errors. */
  readonly schema: { readonly "~standard": { readonly types?: { readonly output: Content } | undefined } };
  /** The media type of the content. Default: `application/problem+json`. */
  readonly type?: string | undefined;
  /**
   * Makes the content of an error. It is written as JSON.
   *
   * @param problem what the client may be told.
   * @param error what was thrown; `undefined` for an error that a handler declares and returns.
   * @param input the input of the application.
   */
  from(problem: ProblemDetails, error: unknown, input: object): Content;
}

/**
 * Whether an error says that the server is at fault, so that its message stays here and the host must learn of it: one that is
 * unknown, or has a status of 5xx or one that cannot end a response.
 */
export function isServerFault(error: unknown): boolean {
  return !(error instanceof HTTPError) || error.status >= 500 || error.status < 200;
}

/**
 * Describes an error to the client as problem details (RFC 9457, C7.3).
 *
 * Of what is the server's fault it says no more than the reason phrase; an unknown error is 500, and so is a status that
 * cannot end a response (1xx). The statuses that have no content get none (RFC 9110 §6.4.1).
 */
export function problemOf(error: unknown, shape: Problems | null, input: object): Problem {
  const known = error instanceof HTTPError && error.status >= 200 ? error : null;
  const { status, statusText } = known ?? internalServerError;
  const headers = new Headers(known?.headers);
  if (status === 204 || status === 205 || status === 304) return { status, statusText, headers, body: null };
  // Those of a response that an error was made from are about other content.
  for (const name of ["content-length", "content-encoding"]) headers.delete(name);
  headers.set("content-type", shape?.type ?? "application/problem+json");
  const told = status < 500 ? known : null;
  const detail = told?.message === statusText ? undefined : told?.message;
  // JSON leaves out what is undefined.
  const problem = { title: statusText, status, detail, errors: told?.errors };
  const body = JSON.stringify(shape ? shape.from(problem, error, input) : problem);
  return { status, statusText, headers, body };
}

/**
 * Whether an error says that the client left, which is nobody's fault: it is the reason of the input's signal, or comes of it
 * as the error of a `fetch()` does.
 */
export function saysThatClientLeft(error: unknown, input: object): boolean {
  const { signal } = input as { readonly signal?: AbortSignal };
  return !!signal?.aborted && [error, (error as Error | null | undefined)?.cause].includes(signal.reason);
}

/**
 * Writes what is the server's fault to the console, below a line that names method, path, pattern and resource.
 *
 * A method that is not implemented is no accident of the program: its stack would lead into this package.
 */
export function reportServerFault(error: unknown, input: Input): void {
  // What was no input is what the error says.
  const known = (input ?? {}) as Input & { readonly params?: unknown };
  if (!isServerFault(error) || saysThatClientLeft(error, known)) return;
  const { method, url, params } = known;
  const request = `${String(method).slice(0, 80)} ${quoted(pathIn(String(url)).slice(0, 80))}${Params.ownerOf(params)}`;
  // By "%s": what a client sends may hold one.
  print("%s:", request, error instanceof HTTPError && error.status === 501 ? error.message : error);
}

/** Writes to the console, be it what cannot be printed: a getter of an error may throw, as may a console that was replaced. */
export function print(...values: unknown[]): void {
  for (const printed of [values, ["An error that cannot be printed"]]) {
    try {
      return console.error(...printed);
    } catch {
      // What cannot be said must not keep the answer from going out.
    }
  }
}

/** Makes a `Response` from an error. What cannot be read or sent, such as a revoked Proxy, is unknown. */
export function errorResponse(error: unknown, shape: Problems | null, input: object): Response {
  try {
    return responseOf(problemOf(error, shape, input));
  } catch (fault) {
    if (!shape) return responseOf(problemOf(undefined, null, input));
    print(fault);
    return errorResponse(error, null, input);
  }
}

function responseOf({ body, ...init }: Problem): Response {
  return new Response(body, init);
}

/**
 * Adds the fields that middleware left for a response made from an error. What the response says itself stays,
 * but for the fields that are lists.
 */
export function withFields(response: Response, fields: Headers): Response {
  const copy = copiedResponse(response);
  for (const [name, value] of fields) {
    if (name === "vary" || name === "set-cookie") copy.headers.append(name, value);
    else if (!copy.headers.has(name)) copy.headers.set(name, value);
  }
  return copy;
}
