import { described } from "./described.ts";
import { isStatus, type StatusPair } from "./status-constant.ts";
import type { StatusConstant } from "./status.ts";

/** What an {@link HTTPError} may carry besides its status and message. */
export interface HTTPErrorOptions {
  /** What led to this error; it is for the host's eyes and never part of a response. */
  cause?: unknown;
  /** Header fields for the response made from this error, such as `Allow` or `WWW-Authenticate`. */
  headers?: HeadersLike | undefined;
}

/** What `new Headers()` takes: a name for it that does not need the types of browsers. */
type HeadersLike = NonNullable<ConstructorParameters<typeof Headers>[0]>;

const brand = Symbol.for("fingerpost.HTTPError");

// Not a private field: an error of refusal() never ran the constructor. Not a property: an error may be frozen.
const headersOf = new WeakMap<HTTPError, Headers>();

/**
 * A status that is thrown, and a `ResponseInit` too.
 *
 * The message is the reason phrase unless another one is given. `instanceof HTTPError` holds for errors of other copies of
 * the package as well.
 *
 * @throws {TypeError} when `status` is not a constant of `Status`.
 * @example
 * ```ts
 * const error = new HTTPError(Status.NotFound, "No such book");
 * new Response(error.message, error).status; // 404
 * ```
 */
export class HTTPError extends Error {
  /** The status code. */
  declare readonly status: number;
  /** The reason phrase of the status code, whatever the message is. */
  declare readonly statusText: string;
  /** What does not fit in the request, one by one: the member `errors` of the problem details (RFC 9457 §3). Default: none. */
  declare errors?: readonly object[] | undefined;

  constructor(status: StatusConstant, message?: string, options?: HTTPErrorOptions) {
    if (!isStatus(status)) {
      throw new TypeError(
        `Cannot create an HTTPError: expected a status constant such as Status.NotFound, got ${described(status)}`,
      );
    }
    super(message ?? status.statusText, options);
    this.status = status.status;
    this.statusText = status.statusText;
    if (options?.headers !== undefined) headersOf.set(this, new Headers(options.headers));
  }

  /** Header fields for the response made from this error: always the same object, empty unless given. */
  get headers(): Headers {
    let headers = headersOf.get(this);
    if (headers === undefined) headersOf.set(this, (headers = new Headers()));
    return headers;
  }

  // Errors cross copies of the package by a mark on the prototype; subclasses keep the meaning that `instanceof` has. The class
  // does not name itself, or it would be `_HTTPError` in `dist/core.js`.
  static [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this.prototype, brand)) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && brand in value;
  }

  static {
    Object.defineProperties(this.prototype, {
      name: { value: "HTTPError", writable: true, configurable: true },
      // What an error does not have is not looked for on Object.prototype.
      errors: { value: undefined, writable: true, configurable: true },
      [brand]: { value: true, writable: true, configurable: true },
    });
  }
}

/**
 * Makes the error by which the framework itself refuses a request.
 *
 * PERF: nothing of ours is at fault, so no stack is captured, which is most of what an error costs.
 */
export function refusal({ status, statusText }: StatusPair): HTTPError {
  const error = Object.create(HTTPError.prototype) as { -readonly [Key in keyof HTTPError]: HTTPError[Key] };
  error.status = status;
  error.statusText = statusText;
  error.message = statusText;
  error.stack = `HTTPError: ${statusText}`;
  return error;
}
