import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";

/** Asks a store for what a request cannot be answered without. @throws {HTTPError} 503 when it fails. */
export async function askedStore<Value>(ask: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    throw new HTTPError(Status.ServiceUnavailable, undefined, { headers: { "Retry-After": "5" }, cause });
  }
}
