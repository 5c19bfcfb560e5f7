import { bounded } from "./bounded-content.ts";
import type { CallInput } from "./calls.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Send } from "./sent-request.ts";
import { ResponseError } from "./response-error.ts";
import { isJson, isLines } from "./sent-content.ts";

/**
 * Reads the answer to a call.
 * @throws {ResponseError} for a status from 500 on, and for content that is not of an expected type.
 */
export async function readAnswer(
  response: Response,
  key: string,
  input: CallInput,
  options: ClientOptions,
  send: Send,
): Promise<unknown> {
  const { status, ok, headers } = response;
  const media = headers.get("content-type")!;
  let content: unknown;
  const fail = (cause?: unknown, isRead?: boolean): never => {
    throw new ResponseError(response, key, content, cause, isRead);
  };
  if (status > 499 && !options.serverErrors?.includes(status)) fail();
  if (/^text\/event-stream/i.test(media)) {
    content = options.events?.(response, { ...input, key, sendAgain: send }) ?? fail();
  } else if (isLines.test(media)) {
    content = options.lines?.read(response, { key, signal: input.signal }) ?? fail();
  } else {
    const { body } = response;
    // A file may be long, and a platform may keep a `Blob` elsewhere than in memory.
    const isFile = ok && media && !isJson.test(media) && !/^text\//i.test(media);
    const { maxBytes = isFile ? 2 ** 30 : 2 ** 26 } = options;
    const blob = body ? await bounded(body, media ?? "", maxBytes, fail) : await response.blob();
    // A page of HTML that nobody asked for comes from a proxy, or from a server that answers every path with it.
    const isOther = !input.accept && (status > 399 || !media || /^text\/html/i.test(media));
    content = blob.size === 0 ? undefined : blob;
    content &&= await contentOf(blob, media, isOther, fail);
  }
  return {
    status,
    ok,
    content,
    headers,
    response,
    orThrow: (): unknown => (ok ? content : fail(undefined, true)),
  };
}

async function contentOf(
  blob: Blob,
  media: string,
  isOther: boolean,
  fail: (cause?: unknown) => never,
): Promise<unknown> {
  if (isJson.test(media)) return blob.text().then(JSON.parse).catch(fail);
  if (isOther) fail();
  return /^text\//i.test(media) ? blob.text() : blob;
}
