import { readerOf } from "../../http/message/content-reader.ts";
import { lightBytes, type LightRequest } from "../../http/message/light-request.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { described } from "../../http/javascript/described.ts";
import { propertyOf, propertiesOf } from "../../http/javascript/property.ts";
import { hasContent } from "../../fields/request-content.ts";
import { requestField } from "../../fields/request-fields.ts";
import { claimedLengthOf, readWhole, tooLarge, type ChunkReader } from "../../fields/whole-content.ts";
import { parseJsonContent } from "../schema/json-content.ts";
import type { ReadTexts } from "../schema/text-reader.ts";
import type { ContentModel, RequestMedium } from "../operation/input-model.ts";

/** Content as it was read, before its schema sees it. */
export interface ReadContent {
  readonly values: unknown;
  /** The members that a reader of texts could not read. */
  readonly failures: ReadTexts["failures"];
}

/**
 * Reads the content of a request as a declared media type. Returns null for no bytes, if there need be none: of a stream nobody
 * knows before.
 *
 * @throws {HTTPError} 413 when it is longer than declared (RFC 9110 §15.5.14), 400 when it cannot be read.
 */
export async function readContent(
  input: object,
  media: RequestMedium,
  absent: ContentModel["absent"],
): Promise<ReadContent | null> {
  const bytes = await bytesOf(input, media.maxBytes);
  if (bytes.length === 0 && (await absent) !== null) return null;
  if (media.raw !== null) return read(media.raw.kind === "bytes" ? bytes : textOf(bytes));
  if (media.isJson) return read(parseJsonContent(bytes));
  if (media.form === null) return read(textOf(bytes));
  return formOf(input, media, bytes);
}

/** Returns whether the content has no byte. Reads the first part of it, and nothing if it has a length. */
export async function isEmpty(input: object): Promise<boolean> {
  try {
    return (await bytesOf(input, 0)).length === 0;
  } catch {
    return false;
  }
}

function read(values: unknown): ReadContent {
  return { values, failures: [] };
}

async function formOf(
  input: object,
  { type, form: part }: RequestMedium,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ReadTexts> {
  if (/^multipart\//i.test(type)) {
    const headers = { "content-type": requestField(input, "content-type")! };
    const form = await new Response(bytes, { headers }).formData().catch((cause: unknown) => {
      throw new HTTPError(Status.BadRequest, "The content is not a form", { cause });
    });
    return part!.reader.readForm(form);
  }
  return part!.reader.readUrlEncoded(textOf(bytes));
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new HTTPError(Status.BadRequest, "The content is not UTF-8", { cause });
  }
}

async function bytesOf(input: object, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (claimedLengthOf(input) > maxBytes) throw tooLarge();
  const light = (input as Partial<LightRequest>)[lightBytes]?.(maxBytes) ?? null;
  if (light !== null) {
    const bytes = await light.catch(unreadable);
    if (bytes === null) throw tooLarge();
    return bytes;
  }
  const reader = contentReaderOf(input);
  if (reader === null) return new Uint8Array();
  const readOn = (): ReturnType<ChunkReader["read"]> => reader.read().catch(unreadable);
  return readWhole({ read: readOn, cancel: () => reader.cancel() }, maxBytes);
}

/** Content that breaks off is the client's doing, unless middleware broke it off: that says why. */
function unreadable(cause: unknown): never {
  throw cause instanceof HTTPError ? cause : new HTTPError(Status.BadRequest, "The content broke off", { cause });
}

/** The content of a `Request`, or of what an input of the polyfill chain carries: a `Request`, or Node's message. */
function contentReaderOf(input: object): ChunkReader | null {
  const { body, request } = propertiesOf(input as Carrying, ["body", "request"]);
  const content = body ?? (request === undefined ? undefined : propertyOf(request, "body"));
  if (content instanceof ReadableStream) return readerOf(content);
  if (content === null || (content === undefined && !hasContent(input))) return null;
  const iterator = request === undefined ? undefined : propertyOf(request, "iterator");
  if (typeof iterator === "function") {
    // Node would destroy a message that is not read to its end, and its connection.
    const chunks = iterator.call(request, { destroyOnReturn: false });
    return { read: () => chunks.next(), cancel: async () => chunks.return?.() };
  }
  throw new TypeError(
    `Cannot read the content: expected a Request, or a context with the request of Node, got ${described(input)}`,
  );
}

/** An input, and what of it may have content. */
interface Carrying {
  readonly body?: unknown;
  readonly request?: {
    readonly body?: unknown;
    iterator?(options: { readonly destroyOnReturn: boolean }): AsyncIterator<unknown>;
  };
}
