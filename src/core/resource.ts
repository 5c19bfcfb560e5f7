import { refusal, type HTTPError } from "../http/http-error.ts";
import { Status } from "../http/status.ts";

/**
 * Something that requests can be sent to: it names the paths it answers and implements HTTP methods.
 *
 * Each door has its own; extend that one.
 */
export class Resource {
  /** The path patterns that this resource answers. Without any it cannot be reached. */
  paths: readonly string[] = [];

  CONNECT(_input: unknown): unknown {
    throw notImplemented();
  }

  DELETE(_input: unknown): unknown {
    throw notImplemented();
  }

  GET(_input: unknown): unknown {
    throw notImplemented();
  }

  HEAD(_input: unknown): unknown {
    throw notImplemented();
  }

  OPTIONS(_input: unknown): unknown {
    throw notImplemented();
  }

  PATCH(_input: unknown): unknown {
    throw notImplemented();
  }

  POST(_input: unknown): unknown {
    throw notImplemented();
  }

  PUT(_input: unknown): unknown {
    throw notImplemented();
  }

  TRACE(_input: unknown): unknown {
    throw notImplemented();
  }
}

/** RFC 9110 §15.6.2: the resource does not implement the method. */
function notImplemented(): HTTPError {
  return refusal(Status.NotImplemented);
}
