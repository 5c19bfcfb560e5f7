import { OptionCheck } from "../http/javascript/option-check.ts";
import type { Part } from "../formats/multipart/part.ts";
import { readParts, type PartsOfOptions } from "../formats/multipart/parts.ts";

const limitNames = ["maxBytes", "maxParts", "maxFieldBytes", "maxFileBytes", "maxHeadBytes"] as const;

/**
 * Reads a form part by part while it comes in (`multipart/form-data`, RFC 7578), on every runtime alike.
 *
 * A form of at most 64 KiB may be read at once. Of others, nothing is read before it is asked for, so that a slow sink
 * slows the client down. Unread content is skipped. If the form fails, or the loop ends by an error or by `break`,
 * everything that `part.store()` stored is discarded.
 *
 * @param input the request, or the context of the polyfill module.
 * @throws {HTTPError} 415 when the content is another type, or has a `Content-Encoding`; 400 when it cannot be read,
 * 413 when it is longer than allowed.
 * @throws {TypeError} when a limit is wrong.
 * @example
 * ```ts
 * import { memory } from "fingerpost/files";
 * import { partsOf } from "fingerpost/native/content";
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
export function partsOf(input: object, options: PartsOfOptions = {}): AsyncGenerator<Part, void, undefined> {
  const check = new OptionCheck("partsOf", options, limitNames);
  for (const name of limitNames) check.count(name);
  return readParts(input, check.options, []);
}
