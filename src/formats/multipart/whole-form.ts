import type { Bytes } from "../../http/javascript/bytes.ts";
import { JoinedBytes } from "../../http/javascript/joined-bytes.ts";
import { boundaryOf } from "./form-parameters.ts";
import { MultipartReader, type ChunkSource } from "./multipart-reader.ts";

/**
 * Reads a form that is in memory: the head and the content of each part. Not by `formData()` of the platform: it
 * refuses many forms on some runtimes, loses files on others, and takes seconds for many parts.
 * @param contentType the value of `Content-Type`.
 * @param maxHeadBytes how many bytes the fields of one part may have.
 * @throws {HTTPError} 400 when it cannot be read, 413 when a head is too long.
 */
export async function* wholeParts(
  bytes: Bytes,
  contentType: string | null,
  maxHeadBytes: number,
): AsyncGenerator<readonly [head: Uint8Array, content: Bytes], void, undefined> {
  const reader = new MultipartReader(sourceOf(bytes), boundaryOf(contentType), maxHeadBytes);
  for (let head = await reader.nextHead(); head !== null; head = await reader.nextHead()) {
    const whole = new JoinedBytes(bytes.length);
    for (let part = await reader.nextBytes(); part !== null; part = await reader.nextBytes()) whole.add(part);
    yield [head, whole.bytes];
  }
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
