import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { notImplemented } from "../http/protocol/status-constant.ts";
import type { MiddlewareClass } from "./middleware.ts";

/**
 * Something that requests can be sent to: it names the paths it answers and implements HTTP methods.
 *
 * Each module has its own; extend that one.
 */
export class Resource<Result = unknown> {
  /**
   * The middleware classes around this resource, the first outermost, inside the middleware of its groups. A subclass
   * adds its classes inside the list of its base class.
   */
  declare static readonly middleware?: readonly MiddlewareClass[];
  /** Does not exist: paths are not static. */
  declare static readonly paths?: never;
  /** Does not exist: it is for middleware. */
  declare readonly ALL?: never;
  /** The path patterns that this resource answers. Without any it cannot be reached. */
  paths: readonly string[] = [];

  /** Answers CONNECT (RFC 9110 §9.3.6). @throws {HTTPError} 501 unless a subclass implements it. */
  CONNECT(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers DELETE (RFC 9110 §9.3.5). @throws {HTTPError} 501 unless a subclass implements it. */
  DELETE(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers GET (RFC 9110 §9.3.1). @throws {HTTPError} 501 unless a subclass implements it. */
  GET(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers HEAD (RFC 9110 §9.3.2). @throws {HTTPError} 501 unless a subclass implements it. */
  HEAD(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers OPTIONS (RFC 9110 §9.3.7). @throws {HTTPError} 501 unless a subclass implements it. */
  OPTIONS(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers PATCH (RFC 5789). @throws {HTTPError} 501 unless a subclass implements it. */
  PATCH(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers POST (RFC 9110 §9.3.3). @throws {HTTPError} 501 unless a subclass implements it. */
  POST(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers PUT (RFC 9110 §9.3.4). @throws {HTTPError} 501 unless a subclass implements it. */
  PUT(_input: unknown): Result {
    throw unimplemented();
  }

  /** Answers TRACE (RFC 9110 §9.3.8). @throws {HTTPError} 501 unless a subclass implements it. */
  TRACE(_input: unknown): Result {
    throw unimplemented();
  }
}

/** RFC 9110 §15.6.2: the resource does not implement the method. */
function unimplemented(): HTTPError {
  return refusal(notImplemented);
}
