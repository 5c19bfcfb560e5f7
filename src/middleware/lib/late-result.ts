import { isPromise } from "../../http/javascript/any-realm.ts";
import { isResponseLike } from "../../dispatch/fetch-response.ts";
import { drop } from "../../dispatch/next.ts";
import { discard } from "../../http/message/discarded-content.ts";

/** Cancels a response that comes when nobody waits for it any more. Ignores an error that comes so late. */
export async function discardLate(result: unknown): Promise<void> {
  if (isPromise(result)) drop(result);
  try {
    const response = await result;
    if (isResponseLike(response)) discard(response);
  } catch {
    // The client was told of the first failure.
  }
}
