import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { boundaryOf } from "./form-parameters.ts";
import { MultipartReader, type ChunkSource } from "./multipart-reader.ts";
import { parsePartHead, textOf } from "./part-head.ts";

/** How many parts a form may have that was read whole: what many parts cost beside their bytes is bounded. */
const maxParts = 10_000;

/**
 * Reads a form that is in memory: its fields as strings, its files as a `File`. Not by `formData()` of the platform: it
 * refuses many forms on some runtimes, and loses files on others.
 * @param contentType the value of `Content-Type`.
 * @throws {HTTPError} 400 when it cannot be read.
 */
export async function formEntriesOf(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string | null,
): Promise<[name: string, value: string | File][]> {
  const { length } = bytes;
  const reader = new MultipartReader(sourceOf(bytes), boundaryOf(contentType), 8_192);
  const entries: [string, string | File][] = [];
  for (let head = await reader.nextHead(); head !== null; head = await reader.nextHead()) {
    if (entries.length === maxParts) {
      throw new HTTPError(Status.ContentTooLarge, `The form has more than ${maxParts} parts`);
    }
    const { name, fileName, claimedType } = parsePartHead(head);
    const whole = new JoinedBytes(length);
    for (let part = await reader.nextBytes(); part !== null; part = await reader.nextBytes()) whole.add(part);
    entries.push([
      name,
      fileName === undefined ? textOf(whole.bytes) : new File([whole.bytes], fileName, { type: claimedType }),
    ]);
  }
  return entries;
}

function sourceOf(bytes: Uint8Array): ChunkSource {
  let isRead = false;
  return {
    async read() {
      const result = isRead ? { done: true } : { done: false, value: bytes };
      isRead = true;
      return result;
    },
  };
}
