import { drop } from "../../dispatch/next.ts";
import { endForm, isOfFormData } from "../../http/form-data.ts";

/** Lets go of a response that nobody will read. Not waited for: what a handler's stream does then is not the client's business. */
export function discard({ body, headers }: Response): void {
  if (body === null) return;
  // What is locked is another's to let go of; canceling it does no more than reject.
  const isForm = !body.locked && isOfFormData(headers.get("content-type") ?? "");
  (isForm ? end(body) : body.cancel()).catch(() => {});
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

function end(form: ReadableStream): Promise<void> {
  const reader = form.getReader();
  return endForm(form, reader, () => reader.cancel());
}
