import { HTTPError } from "../../http/http-error.ts";
import { Status } from "../../http/status.ts";
import { parseJsonContent } from "../content/json-content.ts";
import type { ReadTexts } from "../content/text-reader.ts";
import { isRawContent } from "../declaration/raw-content.ts";
import type { RequestMedia } from "./plan.ts";

/** Content as it was read, before its schema sees it. */
export interface ReadContent {
  readonly value: unknown;
  /** What a reader of texts could not read. */
  readonly failures: ReadTexts["failures"];
}

/**
 * Reads the content of a request as a declared media type.
 *
 * @throws {HTTPError} 413 when it is longer than declared (RFC 9110 §15.5.14), 400 when it cannot be read.
 */
export async function readContent(request: Request, media: RequestMedia): Promise<ReadContent> {
  const bytes = await bytesOf(request, media.maxBytes);
  const { declared } = media;
  if (isRawContent(declared)) return read(declared.kind === "bytes" ? bytes : textOf(bytes));
  if (media.isJson) return read(parseJsonContent(bytes));
  if (media.reader === null) return read(textOf(bytes));
  const { values, failures } = await formOf(request, media, bytes);
  return { value: values, failures };
}

function read(value: unknown): ReadContent {
  return { value, failures: [] };
}

async function formOf(
  request: Request,
  { type, reader }: RequestMedia,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ReadTexts> {
  if (/^multipart\//i.test(type)) {
    const headers = { "content-type": request.headers.get("content-type")! };
    const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
      throw new HTTPError(Status.BadRequest, "The content is not a form", { cause });
    });
    return reader!.readForm(form);
  }
  return reader!.readUrlEncoded(textOf(bytes));
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new HTTPError(Status.BadRequest, "The content is not UTF-8", { cause });
  }
}

async function bytesOf(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const { body } = request;
  if (body === null) return new Uint8Array();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(unreadable);
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      void reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** Content that breaks off is the client's doing, unless middleware broke it off: that says why. */
function unreadable(cause: unknown): never {
  throw cause instanceof HTTPError ? cause : new HTTPError(Status.BadRequest, "The content broke off", { cause });
}

function tooLarge(): HTTPError {
  return new HTTPError(Status.ContentTooLarge);
}
