import { parsePartHead, textOf } from "../formats/multipart/part-head.ts";
import { wholeParts } from "../formats/multipart/whole-form.ts";
import { sha256 } from "../http/javascript/digest.ts";

/**
 * Reads what a fingerprint has of each part of a form. Null for content that is not a form: the handler refuses it,
 * or reads it otherwise.
 */
export async function formPartsOf(
  type: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<readonly (readonly string[])[] | null> {
  const parts: (readonly string[])[] = [];
  try {
    for await (const [head, bytes] of wholeParts(content, type, content.length)) {
      try {
        const { name, fileName, claimedType } = parsePartHead(head);
        parts.push(fileName === undefined ? [name, textOf(bytes)] : [name, fileName, claimedType, await sha256(bytes)]);
      } catch {
        // Handlers that take bytes may read what ours refuses.
        parts.push([await sha256(head.slice()), "", await sha256(bytes)]);
      }
    }
  } catch {
    return null;
  }
  return parts;
}
