/** One error of a request. */
export interface ProblemError {
  /** The part of the request. */
  readonly in: "path" | "query" | "header" | "cookie" | "content";
  /** The place in that part: a JSON pointer as a fragment (RFC 6901 §6). */
  readonly pointer: string;
  /** The expectation at this place; never the value that was sent. */
  readonly detail: string;
  /** The code that the schema's library has for it. */
  readonly code?: string | undefined;
}
