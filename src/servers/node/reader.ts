import type { Readable } from "node:stream";
import { endForm, isOfFormData } from "../../http/form-data.ts";

/** What content is read by: a part at a time. */
export interface Reader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): unknown;
}

/** Makes a reader of content, given with the fields that tell what it is: names and values by turns. */
export function openReader(content: ReadableStream<Uint8Array> | Readable, fields: readonly string[]): Reader {
  if (!(content instanceof ReadableStream)) return openNodeReader(content);
  const reader = content.getReader();
  if (!fillsItself || !isForm(fields)) return reader;
  return { read: () => reader.read(), cancel: (reason) => endForm(content, reader, () => reader.cancel(reason)) };
}

/** Has content end that nobody will read any more. */
export function letGo(reader: Reader, reason?: unknown): void {
  void Promise.resolve(reader.cancel(reason)).catch(() => {});
}

// Others fill the stream of a `FormData` as it is read.
const fillsItself = Number.parseInt(process.versions.node, 10) > 22;

/** Tells by the type alone: all other fields may hold what a client said. */
function isForm(fields: readonly string[]): boolean {
  // Light responses may have names in any case, and values that are numbers.
  return fields.some(
    (name, at) => at % 2 === 0 && name.toLowerCase() === "content-type" && isOfFormData(String(fields[at + 1])),
  );
}

/** Makes a reader of a stream of Node, whose errors are those of reading, and of nothing else. */
function openNodeReader(stream: Readable): Reader {
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
