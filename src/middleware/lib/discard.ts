import { drop } from "../../dispatch/next.ts";
import { stopFilling } from "../../http/content-reader.ts";

/** Lets go of a response that nobody will read. Not waited for: what a handler's stream does then is not the client's business. */
export function discard({ body }: Response): void {
  // What is locked is another's to let go of.
  if (body === null || body.locked) return;
  stopFilling(body);
  body.cancel().catch(() => {});
}

/** Lets go of a response that comes when nobody waits for it any more, and of an error. */
export async function discardLate(result: unknown): Promise<void> {
  if (result instanceof Promise) drop(result);
  try {
    const response = await result;
    if (response instanceof Response) discard(response);
  } catch {
    // The client was told of the first failure.
  }
}
