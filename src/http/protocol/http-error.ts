import { isHeaders } from "../javascript/any-realm.ts";
import { described } from "../javascript/described.ts";
import type { ProblemError } from "./problem-error.ts";
import { isStatus, type StatusPair } from "./status-constant.ts";
import { registeredStatus, type StatusConstant } from "./status.ts";

/** Options of an {@link HTTPError} besides its status and message. */
export interface HTTPErrorOptions {
  /** The cause of this error. Only the host sees it; it is never part of a response. */
  cause?: unknown;
  /** Header fields for the response made from this error, such as `Allow` or `WWW-Authenticate`. */
  headers?: HeadersLike | undefined;
}

/** The type of the parameter of `new Headers()`, by a name that does not need the types of browsers. */
type HeadersLike = NonNullable<ConstructorParameters<typeof Headers>[0]>;

const brand = Symbol.for("fingerpost.HTTPError");

// Not a private field: an error of refusal() never ran the constructor. Not a property: an error may be frozen.
// A refusal has a record, until somebody asks for `Headers`.
const headersOf = new WeakMap<HTTPError, Headers | FieldRecord>();

/** Header fields that are known to be valid, by their names in lower case. */
type FieldRecord = Readonly<Record<string, string>>;

/**
 * An error that ends a request with a status. You can also pass it as a `ResponseInit`.
 *
 * Default message: the reason phrase. `instanceof HTTPError` holds for errors of other copies of the package as well.
 *
 * @throws {TypeError} when `status` is neither a registered status code nor a constant of `Status`.
 *
 * @example
 * ```ts
 * const error = new HTTPError(404, "No such book");
 * new Response(error.message, error).status; // 404
 * ```
 */
export class HTTPError extends Error {
  /** The status code. */
  declare readonly status: number;
  /** The reason phrase of the status code, whatever the message is. */
  declare readonly statusText: string;
  /**
   * The problems of the request, one by one: the member `errors` of the problem details (RFC 9457 §3). Default: none.
   */
  declare errors?: readonly ProblemError[] | undefined;

  constructor(status: StatusConstant | StatusConstant["status"], message?: string, options?: HTTPErrorOptions) {
    const known = isStatus(status) ? status : registeredStatus(status);
    if (known === null) {
      throw new TypeError(`Cannot create an HTTPError: expected a status such as 404, got ${described(status)}`);
    }
    super(message ?? known.statusText, options);
    this.status = known.status;
    this.statusText = known.statusText;
    if (options?.headers !== undefined) headersOf.set(this, new Headers(options.headers));
  }

  /** Header fields for the response made from this error. Always the same object. Default: empty. */
  get headers(): Headers {
    const known = headersOf.get(this);
    if (isHeaders(known)) return known;
    const headers = new Headers(known);
    headersOf.set(this, headers);
    return headers;
  }

  // Errors of other copies of the package are recognized by a mark on the prototype. Subclasses keep the meaning that
  // `instanceof` has. The class does not name itself, or it would be `_HTTPError` in `dist/core.js`.
  static [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this.prototype, brand)) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && brand in value;
  }

  static {
    Object.defineProperties(this.prototype, {
      name: { value: "HTTPError", writable: true, configurable: true },
      // A property that an error does not have must not be read from Object.prototype.
      errors: { value: undefined, writable: true, configurable: true },
      [brand]: { value: true, writable: true, configurable: true },
    });
  }
}

/**
 * Makes the error by which the framework itself refuses a request.
 * PERF: no stack is captured, as no code is at fault: it would be over half of the cost (`node bench/refuse.js`).
 */
export function refusal(
  { status, statusText }: StatusPair,
  message: string = statusText,
  headers?: FieldRecord,
): HTTPError {
  const error = Object.create(HTTPError.prototype) as { -readonly [Key in keyof HTTPError]: HTTPError[Key] };
  error.status = status;
  error.statusText = statusText;
  error.message = message;
  error.stack = `HTTPError: ${message}`;
  if (headers !== undefined) headersOf.set(error, headers);
  return error;
}

/**
 * Returns the fields of an error. A refusal that nobody asked for them has none, or fields that are known to be valid.
 * PERF: the getter makes `Headers`, which most refusals do not need: 2 us of 14 (`node bench/requests.js`, R6).
 */
export function fieldsOfError(error: HTTPError): Iterable<[name: string, value: string]> {
  const known = Object.getPrototypeOf(error) === HTTPError.prototype ? (headersOf.get(error) ?? {}) : error.headers;
  return isHeaders(known) ? known : Object.entries(known);
}
