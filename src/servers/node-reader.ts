import type { Readable } from "node:stream";
import { isOfFormData } from "../http/form-data.ts";

/** What content is read by: a part at a time. */
export interface Reader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): unknown;
}

/** Makes a reader of content, given with the fields that tell what it is. */
export function readerOf(content: ReadableStream<Uint8Array> | Readable, fields: readonly string[]): Reader {
  if (!(content instanceof ReadableStream)) return readerOfNode(content);
  const reader = content.getReader();
  // Values of light responses may be numbers.
  const isForm = fillsItself && fields.some((value) => isOfFormData(String(value)));
  return isForm ? { read: () => reader.read(), cancel: () => drain(reader) } : reader;
}

/** Has content end that nobody will read any more. */
export function letGo(reader: Reader, reason?: unknown): void {
  void Promise.resolve(reader.cancel(reason)).catch(() => {});
}

// Others fill the stream of a `FormData` as it is read.
const fillsItself = Number.parseInt(process.versions.node, 10) > 22;

async function drain(reader: Reader): Promise<void> {
  while (!(await reader.read()).done);
}

/** Makes a reader of a stream of Node, whose errors are those of reading, and of nothing else. */
function readerOfNode(stream: Readable): Reader {
  stream.on("error", () => {});
  const parts = stream[Symbol.asyncIterator]();
  let isCanceled = false;
  return {
    async read() {
      try {
        return await parts.next();
      } catch (error) {
        if (isCanceled) return { done: true };
        throw error;
      }
    },
    cancel() {
      isCanceled = true;
      stream.destroy();
    },
  };
}
