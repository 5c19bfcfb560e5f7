import { lightBytes, type LightRequest } from "../../http/message/light-request.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { contentReaderOf, unreadable } from "../../fields/carried-content.ts";
import { requestField } from "../../fields/request-fields.ts";
import { claimedLengthOf, readWhole } from "../../fields/whole-content.ts";
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
 * @param known its bytes, if they were read before.
 * @throws {HTTPError} 413 when it is longer than declared (RFC 9110 §15.5.14), 400 when it cannot be read.
 */
export async function readContent(
  input: object,
  media: RequestMedium,
  absent: ContentModel["absent"],
  known: Uint8Array<ArrayBuffer> | null,
): Promise<ReadContent | null> {
  if (media.raw?.kind === "form") return read(await media.raw.read(input));
  const bytes = known ?? (await contentBytesOf(input, media.maxBytes));
  if (bytes.length === 0 && (await absent) !== null) return null;
  if (media.raw !== null) return read(media.raw.kind === "bytes" ? keptOf(bytes) : textOf(bytes));
  if (media.isJson) return read(parseJsonContent(bytes));
  if (media.form === null) return read(textOf(bytes));
  return formOf(input, media, bytes);
}

/** Returns whether the content has no byte. Reads the first part of it, and nothing if it has a length. */
export async function isEmpty(input: object): Promise<boolean> {
  try {
    return (await contentBytesOf(input, 0)).length === 0;
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
    // By need: applications without forms are smaller (npm run size).
    const { formEntriesOf } = await import("../../content/uploads/form-entries.ts");
    return part!.reader.readForm(await formEntriesOf(bytes, requestField(input, "content-type")));
  }
  return part!.reader.readUrlEncoded(textOf(bytes));
}

/** A handler keeps bytes of its own, in a buffer that nobody else has. */
function keptOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new HTTPError(Status.BadRequest, "The content is not UTF-8", { cause });
  }
}

/** Reads the bytes of content. @throws {HTTPError} 413 when there are more (RFC 9110 §15.5.14). */
export function contentBytesOf(input: object, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (claimedLengthOf(input) > maxBytes) throw tooLong(maxBytes);
  const light = (input as Partial<LightRequest>)[lightBytes]?.(maxBytes) ?? null;
  if (light !== null) {
    return light.then((bytes) => {
      if (bytes === null) throw tooLong(maxBytes);
      return bytes;
    }, unreadable);
  }
  const reader = contentReaderOf(input);
  return reader === null ? Promise.resolve(new Uint8Array()) : readWhole(reader, maxBytes, tooLong);
}

function tooLong(maxBytes: number): HTTPError {
  return new HTTPError(Status.ContentTooLarge, `The content is longer than ${maxBytes} bytes`);
}
