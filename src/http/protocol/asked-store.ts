import { isThenable } from "../javascript/thenable.ts";
import { HTTPError } from "./http-error.ts";
import { Status } from "./status.ts";

/**
 * Asks a store for what a request cannot be answered without. Returns a Promise if the store does.
 * @throws {HTTPError} 503 when it fails.
 */
export function askedStore<Value>(ask: () => Value | PromiseLike<Value>): Value | Promise<Value> {
  try {
    const given = ask();
    return isThenable(given) ? Promise.resolve(given).catch(refuse) : given;
  } catch (cause) {
    throw unavailable(cause);
  }
}

export function unavailable(cause: unknown): HTTPError {
  return new HTTPError(Status.ServiceUnavailable, undefined, { headers: { "Retry-After": "5" }, cause });
}

function refuse(cause: unknown): never {
  throw unavailable(cause);
}
