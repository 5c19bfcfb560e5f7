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
