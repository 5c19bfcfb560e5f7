const mark = Symbol.for("fingerpost.Status");

/** A status code with its reason phrase: what `Status.X` is. */
export interface StatusPair {
  /** The status code. */
  readonly status: number;
  /** The reason phrase. */
  readonly statusText: string;
}

/** Makes a status constant: frozen, and marked so that nothing else passes for one. */
export function statusConstant<Code extends number, Phrase extends string>(
  status: Code,
  statusText: Phrase,
): { readonly status: Code; readonly statusText: Phrase } {
  return Object.freeze(Object.defineProperty({ status, statusText }, mark, {}));
}

/** Tells whether a value is a status constant, be it of this copy of the package or of another one. */
export function isStatus(value: unknown): value is StatusPair {
  return typeof value === "object" && value !== null && mark in value;
}

// The statuses that the framework itself answers with. They stand apart from the table, so that a bundle holds all of it
// only where a program names it.
export const badRequest: { readonly status: 400; readonly statusText: "Bad Request" } = statusConstant(
  400,
  "Bad Request",
);
export const notFound: { readonly status: 404; readonly statusText: "Not Found" } = statusConstant(404, "Not Found");
export const uriTooLong: { readonly status: 414; readonly statusText: "URI Too Long" } = statusConstant(
  414,
  "URI Too Long",
);
export const internalServerError: { readonly status: 500; readonly statusText: "Internal Server Error" } =
  statusConstant(500, "Internal Server Error");
export const notImplemented: { readonly status: 501; readonly statusText: "Not Implemented" } = statusConstant(
  501,
  "Not Implemented",
);
