import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { readsAs } from "../dispatch/guarded.ts";
import { replacedInput } from "../dispatch/replaced-input.ts";
import { contentCoding } from "../fields/accept-encoding.ts";
import { codingsOf, contentReaderOf } from "../fields/carried-content.ts";
import { streamOf } from "../fields/counted-content.ts";
import { hasContent } from "../fields/request-content.ts";
import { requestField } from "../fields/request-fields.ts";
import type { ChunkReader } from "../fields/whole-content.ts";
import { isWebRequest } from "../http/javascript/any-realm.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { refusal, type HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import type { Coding } from "./compress.ts";
import { contentCodings } from "./lib/compressor.ts";
import { decoded, decodingOf, type Decoding } from "./lib/decompressor.ts";
import { nextOf } from "./lib/response-fields.ts";

/** Options of `decompress()`. */
export interface DecompressOptions {
  /** The content codings to accept. Default: gzip, deflate, br and zstd, if the runtime has them. */
  readonly codings?: readonly Coding[] | undefined;
  /** How many times as long as the bytes that came the content may be, beyond 64 KiB. Default: 200. */
  readonly maxRatio?: number | undefined;
}

/** Each coding may expand what the next one has. */
const mostCodings = 2;

/** The fields that are about the coded content (RFC 9110 §8.4, §8.6; RFC 9530). */
const describing = ["content-encoding", "content-length", "content-digest", "repr-digest", "digest", "content-md5"];

/**
 * Makes middleware that decodes the content of requests with `Content-Encoding` (RFC 9110 §8.4), of the native and the
 * semantics module.
 *
 * Content is decoded while it is read, so that `maxBytes` of an operation limits the decoded bytes. Another coding gets
 * 415 with `Accept-Encoding`. Content gets 413 if it expands more than `maxRatio`, and 400 if it is not whole.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder().middleware(decompress()).build();
 * ```
 */
export function decompress(options: DecompressOptions = {}): MiddlewareClass {
  const check = new OptionCheck("decompress", options, ["codings", "maxRatio"]);
  const { codings = contentCodings, maxRatio = 200 } = check.options;
  check.list("codings", (coding) => contentCodings.includes(coding as Coding), contentCodings.join(", "));
  check.require(typeof maxRatio === "number" && maxRatio >= 1, "maxRatio", "a number from 1", maxRatio);
  let known: readonly Decoding[] | null = null;
  // Tried at the first coded request: Workers create none outside of a request.
  const decodings = (): readonly Decoding[] => (known ??= codings.flatMap((coding) => decodingOf(coding) ?? []));

  function decodedInput(input: object): object {
    const named = codingsOf(requestField(input, "content-encoding")).map(contentCoding);
    if (named.length === 0) return input;
    if (!isWebRequest(input)) {
      throw new TypeError(
        `Cannot decode the content: expected a Request, got ${described(input)}; use decompress() with http.native.js`,
      );
    }
    const found = named.flatMap((coding) => decodings().find(({ format }) => format === coding) ?? []);
    if (found.length < named.length || found.length > mostCodings) throw refused(decodings());
    const headers = new Headers(input.headers);
    for (const name of describing) headers.delete(name);
    if (!hasContent(input)) return replacedInput(input, { headers });
    return replacedInput(input, { headers, body: streamOf(decoded(untouched(input), found, maxRatio)) });
  }

  return class Decompress extends Middleware {
    static {
      passing(this);
    }

    static readonly [readsAs] = decodedInput;

    static answers(method: string): Readonly<Record<number, string>> {
      if (method === "GET" || method === "HEAD" || method === "OPTIONS") return {};
      return {
        400: "The content is cut off, or not of its content coding",
        413: "The content expands too much",
        415: "The content has a content coding that is not accepted",
      };
    }

    ALL(input: object): unknown {
      // What no handler answers is 404, whatever its content is.
      const passed = this.resourceOf(input) === null ? input : decodedInput(input);
      return passed === input ? nextOf(this, input) : this.next(input, passed);
    }
  };
}

/** RFC 9110 §12.5.3: the field says that the coding was the reason, not the type. */
function refused(taken: readonly Decoding[]): HTTPError {
  const names = taken.map(({ format }) => format).join(", ") || "identity";
  return refusal(Status.UnsupportedMediaType, `The content has another content coding; accepted: ${names}`, {
    "accept-encoding": names,
  });
}

/** The content of a request, which is not locked before it is read. */
function untouched(request: Request): ChunkReader {
  let reader: ChunkReader | null = null;
  const opened = (): ChunkReader => (reader ??= contentReaderOf(request, Infinity)!);
  return {
    read: async () => opened().read(),
    cancel: async (reason) => opened().cancel(reason),
  };
}
