import { utf8Text } from "../../http/message/utf8-text.ts";
import type { CarriedContent } from "../../fields/carried-content.ts";
import { parseJsonContent, tooManyMembers } from "../../json-schema/text/parsed-json.ts";
import type { ReadTexts } from "../../json-schema/text/text-reader.ts";
import type { FormContent } from "../declaration/form-content.ts";
import type { LinesContent } from "../declaration/lines-content.ts";
import { isTakenLater, type BytesContent } from "../declaration/raw-content.ts";
import type { ContentModel, RequestMedium } from "../operation/input-model.ts";
import { discardsOf } from "./stored-files.ts";
import { contentTypeOf } from "./typed-content.ts";

/** Content as it was read, before its schema sees it. */
export interface ReadContent {
  readonly values: unknown;
  /** The members that a reader of texts could not read. */
  readonly failures: ReadTexts["failures"];
}

/**
 * Gets the bytes of a request's content. Null where there is no media type, and for one that reads the content itself.
 * @param known its bytes, if they were read before.
 * @throws {HTTPError} 413 when it is longer than declared (RFC 9110 §15.5.14), 400 when it breaks off.
 */
export function bytesFor(
  media: RequestMedium | null,
  carried: CarriedContent,
  known: Uint8Array<ArrayBuffer> | null = null,
): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> | null {
  if (media === null || (media.raw !== null && isTakenLater(media.raw))) return null;
  return known ?? carried.bytes(media.maxBytes);
}

/**
 * Reads the content of a request as a declared media type: at once, unless that has to wait. Returns null for no bytes,
 * if there need be none: of a stream nobody knows before.
 * @param bytes what `bytesFor()` got.
 * @throws {HTTPError} 400 when it cannot be read, 413 when it has more members than declared.
 */
export function readContent(
  carried: CarriedContent,
  media: RequestMedium,
  absent: ContentModel["absent"],
  bytes: Uint8Array<ArrayBuffer> | null,
): ReadContent | Promise<ReadContent | null> {
  if (bytes === null) return readLater(carried, media);
  return bytes.length === 0 && absent !== null
    ? readEmpty(bytes, carried, media, absent)
    : contentIn(bytes, carried, media);
}

async function readLater({ input, fields }: CarriedContent, media: RequestMedium): Promise<ReadContent> {
  const raw = media.raw as BytesContent | FormContent | LinesContent;
  if (raw.kind !== "bytes") return read(await raw.read(input));
  const { maxBytes } = media;
  // By need: applications without such content are smaller (npm run size).
  const { contentStreamOf, storedContent } = await import("../../formats/multipart/stored-content.ts");
  if (raw.sink === undefined) return read(contentStreamOf(input, maxBytes));
  const storing = { type: contentTypeOf(media, fields), maxBytes, discards: discardsOf(input) };
  return read(await storedContent(input, raw.sink, raw.isKept === true, storing));
}

async function readEmpty(
  bytes: Uint8Array<ArrayBuffer>,
  carried: CarriedContent,
  media: RequestMedium,
  absent: ContentModel["absent"],
): Promise<ReadContent | null> {
  return (await absent) === null ? contentIn(bytes, carried, media) : null;
}

function contentIn(
  bytes: Uint8Array<ArrayBuffer>,
  carried: CarriedContent,
  media: RequestMedium,
): ReadContent | Promise<ReadContent> {
  if (media.raw !== null) return read(media.raw.kind === "bytes" ? keptOf(bytes) : textOf(bytes));
  if (media.isJson) return read(parseJsonContent(bytes, media.maxMembers));
  return media.form === null ? read(textOf(bytes)) : formOf(carried, media, bytes);
}

function read(values: unknown): ReadContent {
  return { values, failures: [] };
}

async function formOf(
  { fields }: CarriedContent,
  { range, form: part, maxMembers }: RequestMedium,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ReadTexts> {
  if (range.type === "multipart") {
    // By need: applications without forms are smaller (npm run size).
    const { formEntriesOf } = await import("../../formats/multipart/form-entries.ts");
    return part!.reader.readForm(await formEntriesOf(bytes, fields.get("content-type")));
  }
  const text = textOf(bytes);
  if (hasMoreFields(text, maxMembers)) throw tooManyMembers(maxMembers);
  return part!.reader.readUrlEncoded(text);
}

function hasMoreFields(text: string, most: number): boolean {
  let count = 0;
  for (let at = 0; at >= 0 && count <= most; at = text.indexOf("&", at + 1)) count++;
  return count > most;
}

/** A handler keeps bytes of its own, in a buffer that nobody else has. */
function keptOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes);
}

function textOf(bytes: Uint8Array): string {
  return utf8Text(bytes, "The content").replace(/^\ufeff/, "");
}
