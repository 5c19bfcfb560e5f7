import { byteLengthOf } from "../../http/javascript/byte-length.ts";
import { isBlob, isBytes } from "../../http/javascript/any-realm.ts";
import type { Content } from "../../http/answer/carried-answer.ts";
import type { FieldList } from "../../http/answer/field-list.ts";

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
