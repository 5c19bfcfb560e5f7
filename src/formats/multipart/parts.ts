import { contentReaderOf, refuseCoded } from "../../fields/carried-content.ts";
import { RequestFields, requestField } from "../../fields/request-fields.ts";
import { AnySignal } from "../../http/javascript/any-signal.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { discardAll, type Discards } from "./discards.ts";
import { boundaryOf } from "./form-parameters.ts";
import { MultipartReader } from "./multipart-reader.ts";
import { parsePartHead, type PartHead } from "./part-head.ts";
import { Part } from "./part.ts";
import { noContent } from "./pulled-stream.ts";

/** Limits of a form. */
export interface PartsOfOptions {
  /** Maximum size of the form in bytes. Default: 10 MiB. */
  readonly maxBytes?: number | undefined;
  /** Maximum number of parts. Default: 100. */
  readonly maxParts?: number | undefined;
  /** Maximum size of a field in bytes. Default: 64 KiB. */
  readonly maxFieldBytes?: number | undefined;
  /** Maximum size of a file in bytes. Default: 5 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** Maximum size of the headers of a part in bytes. Default: 8 KiB. */
  readonly maxHeadBytes?: number | undefined;
}

/** The bytes that a form may have in all, and a file, unless it is said. */
export const defaultMaxBytes = 10_485_760;
export const defaultMaxFileBytes = 5_242_880;

/**
 * Reads a form part by part while it comes in.
 * @param discards the functions that remove what parts stored. They are called, and taken from it, when the form fails.
 * @param isFile whether a part may be as long as a file. Default: where it has a file name.
 * @throws {HTTPError} 415 when the content is another type, 400 when it cannot be read, 413 when it is longer than
 * allowed.
 */
export async function* readParts(
  input: object,
  limits: PartsOfOptions,
  discards: Discards,
  isFile: (head: PartHead) => boolean = ({ fileName }) => fileName !== undefined,
): AsyncGenerator<Part, void, undefined> {
  const { maxBytes = defaultMaxBytes, maxParts = 100, maxFieldBytes = 65_536, maxHeadBytes = 8_192 } = limits;
  const { maxFileBytes = defaultMaxFileBytes } = limits;
  const boundary = boundaryOf(requestField(input, "content-type"));
  refuseCoded(new RequestFields(input));
  const source = contentReaderOf(input, maxBytes, formTooLong) ?? noContent;
  const reader = new MultipartReader(source, boundary, maxHeadBytes);
  let leaving: AnySignal | null = null;
  const signalOf = (): AbortSignal => (leaving ??= leavingOf(input)).signal;
  let part: Part | null = null;
  let isWhole = false;
  try {
    for (let count = 0; ; count++) {
      if (part?.isFinished === false) await part.finish();
      const head = await reader.nextHead();
      if (head === null) break;
      if (count === maxParts) throw new HTTPError(Status.ContentTooLarge, `The form has more than ${maxParts} parts`);
      const told = parsePartHead(head);
      part = new Part(told, reader, isFile(told) ? maxFileBytes : maxFieldBytes, signalOf, discards);
      yield part;
    }
    isWhole = true;
  } finally {
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- a part may have asked for it
    const asked = leaving as AnySignal | null;
    asked?.release();
    if (!isWhole) {
      asked?.abort();
      void source.cancel().catch(() => {});
      await part?.settle();
      await discardAll(discards);
    }
  }
}

/** RFC 9110 §15.5.14. */
function formTooLong(maxBytes: number): HTTPError {
  return new HTTPError(Status.ContentTooLarge, `The form is longer than ${maxBytes} bytes`);
}

/** Made where a sink needs it: a form of fields has none. */
function leavingOf(input: object): AnySignal {
  return new AnySignal().follow(propertyOf(input as { readonly signal?: AbortSignal | null }, "signal"));
}
