import { refusal, type HTTPError } from "../http/http-error.ts";
import { notImplemented } from "../http/status-constant.ts";

/**
 * Something that requests can be sent to: it names the paths it answers and implements HTTP methods.
 *
 * Each door has its own; extend that one.
 */
export class Resource<Result = unknown> {
  /** The path patterns that this resource answers. Without any it cannot be reached. */
  paths: readonly string[] = [];

  CONNECT(_input: unknown): Result {
    throw unimplemented();
  }

  DELETE(_input: unknown): Result {
    throw unimplemented();
  }

  GET(_input: unknown): Result {
    throw unimplemented();
  }

  HEAD(_input: unknown): Result {
    throw unimplemented();
  }

  OPTIONS(_input: unknown): Result {
    throw unimplemented();
  }

  PATCH(_input: unknown): Result {
    throw unimplemented();
  }

  POST(_input: unknown): Result {
    throw unimplemented();
  }

  PUT(_input: unknown): Result {
    throw unimplemented();
  }

  TRACE(_input: unknown): Result {
    throw unimplemented();
  }
}

/** RFC 9110 §15.6.2: the resource does not implement the method. */
function unimplemented(): HTTPError {
  return refusal(notImplemented);
}
