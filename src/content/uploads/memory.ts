import type { Bytes } from "../../http/javascript/bytes.ts";
import { readWhole } from "../../fields/whole-content.ts";
import { readerOf } from "../../http/message/content-reader.ts";
import type { Sink } from "../../formats/multipart/sink.ts";

/**
 * Makes a sink that holds files in memory, as `bytes`. For small files, and for tests.
 *
 * @example
 * ```ts
 * import { memory } from "fingerpost/files";
 * import { partsOf } from "fingerpost/native/content";
 *
 * const body = new FormData();
 * body.set("notes", new Blob(["Hello"], { type: "text/plain" }), "notes.txt");
 * for await (const part of partsOf(new Request("http://localhost/", { method: "POST", body }))) {
 *   const { fileName, type, bytes } = await part.store(memory());
 *   console.log(fileName, type, bytes.length); // notes.txt text/plain 5
 * }
 * ```
 */
export function memory(): Sink<{ readonly bytes: Bytes }> {
  return {
    async store({ content }) {
      // The reader of the form has bounded it.
      return { bytes: await readWhole(readerOf(content), Number.MAX_SAFE_INTEGER) };
    },
    discard() {},
  };
}
