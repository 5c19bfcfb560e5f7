import { lightContent, type LightResponse } from "./light-response.ts";

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
