import { byteLengthOf } from "../../http/javascript/byte-length.ts";
import type { AnySignal } from "../../http/javascript/any-signal.ts";
import { isAsyncIterable } from "../../http/javascript/async-iterable.ts";
import { isArrayBuffer, isBlob, isBytes, isStream } from "../../http/javascript/any-realm.ts";
import type { Content } from "../../http/answer/carried-answer.ts";
import type { FieldList } from "../../http/answer/field-list.ts";
import type { GivenContent } from "../declaration/raw-content.ts";
import { textTypeOf } from "../operation/media.ts";

/** Writes what `bytes()`, `text()` or `written()` declares, and says its type. */
export function rawContent(
  declared: Exclude<GivenContent, { readonly stream: unknown }>,
  content: unknown,
  type: string,
  fields: Pick<FieldList, "set" | "has">,
  call: { readonly leaving: AnySignal },
): Content {
  const { disposition } = declared;
  if (disposition !== undefined && !fields.has("content-disposition")) fields.set("content-disposition", disposition);
  if (declared.kind === "written")
    return typedText((declared.write as (value: unknown) => string)(content), type, fields);
  const sent = declared.kind === "text" ? textTypeOf(type) : type;
  if (typeof content === "string") return typedText(content, sent, fields);
  fields.set("content-type", sent);
  if (isPieces(content)) return declared.pieces(content, call.leaving);
  if (isArrayBuffer(content)) return new Uint8Array(content);
  if (!ArrayBuffer.isView(content)) return content as Blob | ReadableStream<Uint8Array>;
  return new Uint8Array(content.buffer as ArrayBuffer, content.byteOffset, content.byteLength);
}

/** Distinguishes pieces of text or of bytes from a stream of bytes, which is sent as it is. */
export function isPieces(content: unknown): content is AsyncIterable<unknown> {
  return isAsyncIterable(content) && !isStream(content);
}

export function typedText(text: string, type: string, fields: Pick<FieldList, "set">): string {
  fields.set("content-type", type);
  return text;
}

/** The length of content in bytes; null for a stream, and where there is none. */
export function knownLengthOf(content: Content): number | null {
  if (isBlob(content)) return content.size;
  return typeof content === "string" || isBytes(content) ? lengthOf(content) : null;
}

/** The length of a text or of bytes, in bytes. */
function lengthOf(content: string | Uint8Array): number {
  return typeof content === "string" ? byteLengthOf(content) : content.byteLength;
}
