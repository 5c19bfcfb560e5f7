const mark = Symbol.for("fingerpost.Status");

/** A status code with its reason phrase: what `Status.X` is. */
export interface StatusPair<Code extends number = number, Phrase extends string = string> {
  /** The status code. */
  readonly status: Code;
  /** The reason phrase. */
  readonly statusText: Phrase;
}

/** Makes a status constant: frozen, and marked so that nothing else passes for one. */
export function statusConstant<Code extends number, Phrase extends string>(
  status: Code,
  statusText: Phrase,
): StatusPair<Code, Phrase> {
  return Object.freeze(Object.defineProperty({ status, statusText }, mark, {}));
}

/** Returns whether a value is a status constant, of this copy of the package or of another one. */
export function isStatus(value: unknown): value is StatusPair {
  return typeof value === "object" && value !== null && mark in value;
}

// The statuses that the framework itself answers with. They stand apart from the table, so that a bundle holds all of
// it only where a program names it.
export const badRequest: StatusPair = statusConstant(400, "Bad Request");
export const notFound: StatusPair = statusConstant(404, "Not Found");
export const uriTooLong: StatusPair = statusConstant(414, "URI Too Long");
export const internalServerError: StatusPair = statusConstant(500, "Internal Server Error");
export const notImplemented: StatusPair = statusConstant(501, "Not Implemented");
