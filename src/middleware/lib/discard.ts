import { drop } from "../../dispatch/next.ts";
import { stopFilling } from "../../http/content-reader.ts";

/**
 * Cancels a response that nobody will read. Does not wait: whatever a handler's stream then does is not the client's
 * business.
 */
export function discard({ body }: Response): void {
  // A locked stream is canceled by its reader.
  if (body === null || body.locked) return;
  stopFilling(body);
  body.cancel().catch(() => {});
}

/** Cancels a response that comes when nobody waits for it any more. Ignores an error that comes so late. */
export async function discardLate(result: unknown): Promise<void> {
  if (result instanceof Promise) drop(result);
  try {
    const response = await result;
    if (response instanceof Response) discard(response);
  } catch {
    // The client was told of the first failure.
  }
}
