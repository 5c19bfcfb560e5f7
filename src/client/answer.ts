import type { CallInput } from "./calls.ts";
import type { Operation } from "./options.ts";
import { isRepeatable } from "./repeatable.ts";
import type { Send } from "./request.ts";
import { ResponseError } from "./response-error.ts";
import { isJson, isLines, isStream } from "./sent-content.ts";

/**
 * Reads the answer to a call.
 *
 * @throws {ResponseError} for a status from 500 on, and for content that is not of an expected type.
 */
export async function readAnswer(
  response: Response,
  { method, key, options }: Operation,
  input: CallInput,
  send: Send,
): Promise<unknown> {
  const media = response.headers.get("content-type")!;
  let content: unknown;
  const fail = (cause?: unknown, isRead?: boolean): never => {
    throw new ResponseError(response, key, content, cause, isRead);
  };
  if (response.status > 499 && !options.serverErrors?.includes(response.status)) fail();
  if (/^text\/event-stream/i.test(media)) {
    const sendAgain = isRepeatable(method, input.headers) && !isStream(input.content) ? send : undefined;
    content = options.events?.(response, { key, signal: input.signal, sendAgain }) ?? fail();
  } else if (isLines.test(media)) {
    content = options.lines?.read(response, { key, signal: input.signal }) ?? fail();
  } else {
    const blob = await response.blob();
    if (blob.size > 0) {
      content = blob;
      if (isJson.test(media)) content = await blob.text().then(JSON.parse).catch(fail);
      // Pages are of a proxy, or of a server that has a page for each path.
      else if (!input.accept && (response.status > 399 || !media || /^text\/html/i.test(media))) fail();
      else if (/^text\//i.test(media)) content = await blob.text();
    }
  }
  return {
    status: response.status,
    ok: response.ok,
    content,
    headers: response.headers,
    response,
    orThrow: (): unknown => (response.ok ? content : fail(undefined, true)),
  };
}
