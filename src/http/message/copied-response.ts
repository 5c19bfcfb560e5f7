import { lightContent, lightFields, type LightResponse } from "./light-response.ts";

/** By the stream of content: the response that it came with. */
const origins = new WeakMap<ReadableStream, Response>();

/**
 * Copies a response, so that its fields can be changed. The content is the same stream. Node cancels the content of a
 * response of `fetch()` when the response is collected before somebody reads it. So the original is kept as long as the
 * stream is, whatever copies are made of the copy.
 */
export function copiedResponse(response: Response): Response {
  const { body } = response;
  if (body !== null && !origins.has(body)) origins.set(body, response);
  return new Response(body, response);
}

let isTypeLost: boolean | undefined;

/**
 * Returns whether a response has content. Does not ask a light response for its `body`, which would make it whole.
 *
 * @param isLost whether text loses its type when its `body` is asked for, so that a copy is asked. It does on Bun.
 */
export function hasBody(
  response: Response & Partial<LightResponse>,
  isLost: boolean = (isTypeLost ??= !new Response("a").headers.has("content-type")),
): boolean {
  const { [lightContent]: content } = response;
  if (content !== undefined) return content !== null;
  if (!isLost || response.bodyUsed || response.headers.has("content-type")) return response.body !== null;
  const { body } = response.clone();
  void body?.cancel();
  return body !== null;
}

/**
 * Changes the fields of a response: its own, or a copy's if they are immutable, or if it may be given to
 * everyone.
 *
 * @param change is called for both, where the first fails.
 */
export function changedResponse(
  response: Response & Partial<LightResponse>,
  change: (fields: Headers) => void,
): Response {
  // A response without content may be one object that a handler returns to everyone.
  if (hasBody(response)) {
    try {
      change(fieldsOf(response));
      return response;
    } catch {
      // The headers of Response.redirect() or fetch() are immutable. Any other reason will show again below.
    }
  }
  const copy = copiedResponse(response);
  change(copy.headers);
  return copy;
}

/** The fields of a response, which a light one has without becoming whole. */
export function fieldsOf(response: Response & Partial<LightResponse>): Headers {
  return (response[lightFields]?.() as Headers | undefined) ?? response.headers;
}
