import { isOfFormData } from "../http/form-data.ts";

/** Lets go of a response that nobody will read. Not waited for: what a handler's stream does then is not the client's business. */
export function discard({ body, headers }: Response): void {
  if (body === null) return;
  const isForm = isOfFormData(headers.get("content-type") ?? "");
  (isForm ? body.pipeTo(new WritableStream()) : body.cancel()).catch(() => {});
}
