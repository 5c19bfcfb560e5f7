import { contentReaderOf, refuseCoded } from "../fields/carried-content.ts";
import { requestField } from "../fields/request-fields.ts";
import type { ChunkReader } from "../fields/whole-content.ts";
import { AnySignal } from "../http/javascript/any-signal.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { propertyOf } from "../http/javascript/property.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { boundaryOf } from "./uploads/form-parameters.ts";
import { MultipartReader } from "./uploads/multipart-reader.ts";
import { parsePartHead } from "./uploads/part-head.ts";
import { Part, type Discards } from "./uploads/part.ts";

export { disk } from "./uploads/disk.ts";
export { memory } from "./uploads/memory.ts";
export type { Part, StoreOptions } from "./uploads/part.ts";
export type { IncomingFile, Sink, StoredFile } from "./uploads/sink.ts";

/** How much of a form is read at most. */
export interface PartLimits {
  /** How many bytes the form may have in all. Default: 10 MiB. */
  readonly maxBytes?: number | undefined;
  /** How many parts it may have. Default: 100. */
  readonly maxParts?: number | undefined;
  /** How many bytes a field may have. Default: 64 KiB. */
  readonly maxFieldBytes?: number | undefined;
  /** How many bytes a file may have. Default: 5 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** How many bytes there may be before the content of a part. Default: 8 KiB. */
  readonly maxHeadBytes?: number | undefined;
}

const limitNames = ["maxBytes", "maxParts", "maxFieldBytes", "maxFileBytes", "maxHeadBytes"] as const;

/**
 * Reads a form part by part while it comes in (`multipart/form-data`, RFC 7578), on every runtime alike.
 *
 * Nothing is read before it is asked for, so that a slow sink slows the client down. Unread content is skipped. If the
 * form fails, or the loop ends by an error or by `break`, everything that `part.store()` stored is discarded.
 *
 * @param input the request, or the context of the polyfill module.
 * @throws {HTTPError} 415 when the content is another type, or has a `Content-Encoding`; 400 when it cannot be read, 413 when it is longer than allowed.
 * @throws {TypeError} when a limit is wrong.
 * @example
 * ```ts
 * import { memory, partsOf } from "fingerpost/content/uploads";
 *
 * const body = new FormData();
 * body.set("caption", "Ada");
 * body.set("cover", new Blob(["GIF89a"]), "ada.gif");
 * const request = new Request("http://localhost/covers", { method: "POST", body });
 *
 * for await (const part of partsOf(request, { maxFileBytes: 5_000_000 })) {
 *   if (part.fileName === undefined) console.log(part.name, await part.text()); // caption Ada
 *   else console.log((await part.store(memory(), { types: ["image/*"] })).type); // image/gif
 * }
 * ```
 */
export async function* partsOf(input: object, limits: PartLimits = {}): AsyncGenerator<Part, void, undefined> {
  const check = new OptionCheck("partsOf", limits, limitNames);
  for (const name of limitNames) check.count(name, check.options[name]);
  const { maxBytes = 10_485_760, maxParts = 100, maxFieldBytes = 65_536, maxFileBytes = 5_242_880 } = check.options;
  const bounds = { maxBytes, maxHeadBytes: check.options.maxHeadBytes ?? 8_192 };
  const boundary = boundaryOf(requestField(input, "content-type"));
  refuseCoded(input);
  const source = contentReaderOf(input) ?? noContent;
  const reader = new MultipartReader(source, boundary, bounds);
  const leaving = new AnySignal().follow(propertyOf(input as { readonly signal?: AbortSignal | null }, "signal"));
  const discards: Discards = [];
  let part: Part | null = null;
  let isWhole = false;
  try {
    for (let count = 0; ; count++) {
      await part?.finish();
      const head = await reader.nextHead();
      if (head === null) break;
      if (count === maxParts) throw new HTTPError(Status.ContentTooLarge, `The form has more than ${maxParts} parts`);
      const told = parsePartHead(head);
      part = new Part(
        told,
        reader,
        told.fileName === undefined ? maxFieldBytes : maxFileBytes,
        leaving.signal,
        discards,
      );
      yield part;
    }
    isWhole = true;
  } finally {
    leaving.release();
    if (!isWhole) {
      leaving.abort();
      reader.cancel();
      await part?.settle();
      // What went wrong before is what is told.
      await Promise.allSettled(discards.map(async (discard) => discard()));
    }
  }
}

const noContent: ChunkReader = { read: async () => ({ done: true }), cancel: async () => {} };
