import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { parsePartHead, textOf } from "./part-head.ts";
import { wholeParts } from "./whole-form.ts";

/** How many parts a form may have that was read whole: what many parts cost beside their bytes is bounded. */
const maxParts = 10_000;

/**
 * Reads a form that is in memory: its fields as strings, its files as a `File`.
 * @param contentType the value of `Content-Type`.
 * @throws {HTTPError} 400 when it cannot be read.
 */
export async function formEntriesOf(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string | null,
): Promise<[name: string, value: string | File][]> {
  const entries: [string, string | File][] = [];
  for await (const [head, content] of wholeParts(bytes, contentType, 8_192)) {
    if (entries.length === maxParts) {
      throw new HTTPError(Status.ContentTooLarge, `The form has more than ${maxParts} parts`);
    }
    const { name, fileName, claimedType } = parsePartHead(head);
    entries.push([
      name,
      fileName === undefined ? textOf(content) : new File([content], fileName, { type: claimedType }),
    ]);
  }
  return entries;
}
