import { routedBy } from "../dispatch/input-exchange.ts";
import { isBytes } from "../http/javascript/any-realm.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { preferredCoding } from "../fields/accept-encoding.ts";
import { formatDerivedTag, listsTag } from "../fields/derived-tag.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { isCompressibleType } from "../fields/compressible-type.ts";
import { isCompressible } from "./lib/compressibility.ts";
import { readBack } from "./lib/coding-tags.ts";
import {
  compressed,
  compressedAtOnce,
  compressorOf,
  mostAtOnce,
  contentCodings,
  type CreateCompressor,
} from "./lib/compressor.ts";
import type { Fields } from "./lib/fields.ts";
import { readAhead } from "./lib/read-ahead.ts";
import { hasBody } from "../http/message/copied-response.ts";
import { lightContent, type LightResponse } from "../http/message/light-response.ts";
import { Response } from "../http/message/response.ts";
import { codedAlready } from "../http/message/coded-content.ts";
import { requestField } from "../fields/request-fields.ts";
import { responseOf, withFields } from "./lib/response-fields.ts";

/** A content coding that `compress()` may apply (RFC 9110 §8.4.1). */
export type Coding = "zstd" | "br" | "gzip" | "deflate";

/** Options of `compress()`. */
export interface CompressOptions {
  /**
   * The content codings to use, the preferred one first. Default: zstd, br, gzip and deflate, if the runtime has them.
   */
  readonly codings?: readonly Coding[] | undefined;
  /** The length below which content is not compressed. Default: 1,024. */
  readonly minBytes?: number | undefined;
  /**
   * Returns whether to compress a media type, which is in lower case and without parameters. Default: text, JSON, XML
   * and the like.
   */
  readonly compressible?: ((type: string) => boolean) | undefined;
}

/**
 * Makes middleware that compresses the content of responses as `Accept-Encoding` has it (RFC 9110 §8.4, §12.5.3), of
 * the native module.
 *
 * It does not compress content that is short, encoded already, a range, or marked `no-transform`. Event streams and
 * error responses are not compressed either. Compressed content has an entity tag of its own, `"7~gzip"` for `"7"`. In
 * `If-Match` and `If-None-Match` that tag counts as `"7"`.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder().middleware(compress()).build();
 * ```
 */
export function compress(options: CompressOptions = {}): MiddlewareClass {
  const check = new OptionCheck("compress", options, ["codings", "minBytes", "compressible"]);
  const { codings = contentCodings, minBytes = 1024, compressible = isCompressibleType } = check.options;
  check.list("codings", (coding) => contentCodings.includes(coding as Coding), contentCodings.join(", "));
  check.count("minBytes");
  check.function("compressible");
  let known: ReadonlyMap<Coding | "identity", CreateCompressor> | null = null;

  /** Tries the compressors at the first response: Workers create none outside of a request. */
  function compressors(): ReadonlyMap<Coding | "identity", CreateCompressor> {
    if (known !== null) return known;
    const found = new Map<Coding | "identity", CreateCompressor>();
    for (const coding of codings) {
      const create = compressorOf(coding);
      if (create !== null) found.set(coding, create);
    }
    return (known = found);
  }

  return class Compress extends Middleware {
    async ALL(input: object): Promise<unknown> {
      const response = responseOf(await this.next(input, readBack(input, routedBy(input).method)));
      if (!isCompressible(response, compressible)) return response;
      // Without the field any coding is acceptable; who does not send it will hardly know one.
      const offered = [...compressors().keys(), "identity"] as const;
      const coding = preferredCoding(requestField(input, "accept-encoding") ?? "", offered);
      const chosen = coding === "identity" ? null : coding;
      if (response.status === 304) return withFields(response, varied(codingKept(input, response.headers, chosen)));
      // RFC 9110 §14.4: a part stays as it is; §15.3.7: it has the field that the whole has.
      const isPart = response.status === 206 || response.headers.has("content-range");
      if (isPart) return withFields(response, varied(null));
      if (isShort(response.headers, minBytes)) return response;
      if (chosen === null) return withFields(response, varied(null));
      if (hasBody(response)) return copied(response, chosen);
      const isKnown = routedBy(input).method === "HEAD" && response.headers.has("content-length");
      return isKnown ? withFields(response, coded(chosen)) : response;
    }
  };

  async function copied(response: Response, coding: Coding): Promise<Response> {
    const ahead = response.headers.has("content-length") ? -1 : Math.max(minBytes - 1, mostAtOnce);
    const content = knownBytes(response) ?? (await readAhead(response.body!, ahead));
    if (isBytes(content) && content.length < minBytes) return new Response(content, response);
    const atOnce = isBytes(content) ? compressedAtOnce(content, coding) : null;
    // Each coding that was offered has a compressor.
    const create = compressors().get(coding)!;
    const bytes = atOnce ?? compressed(isBytes(content) ? new Response(content).body! : content, create);
    const { status, statusText, headers } = response;
    const init = { status, statusText, headers, ...codedAlready };
    const copy = new Response(bytes as ReadableStream<Uint8Array<ArrayBuffer>>, init);
    return withFields(copy, coded(coding));
  }
}

/** The bytes of a light response that are compressed at once; null of any other. */
function knownBytes(response: Response & Partial<LightResponse>): Uint8Array<ArrayBuffer> | null {
  const { [lightContent]: content } = response;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : (content ?? null);
  return bytes === null || bytes.length > mostAtOnce ? null : bytes;
}

function coded(coding: Coding): (fields: Fields) => void {
  return (fields) => {
    fields.set("Content-Encoding", coding);
    fields.delete("Content-Length");
    // RFC 9110 §14.3: ranges would refer to the content before it was coded.
    fields.delete("Accept-Ranges");
    varied(coding)(fields);
  };
}

/** Changes the fields of what could have been compressed. If it is, it has a tag of its own (RFC 9110 §8.8.3.3). */
function varied(coding: Coding | null): (fields: Fields) => void {
  return (fields) => {
    fields.vary("Accept-Encoding");
    const etag = fields.get("etag");
    const derived = coding === null || etag === null ? null : formatDerivedTag(etag, coding);
    if (derived !== null) fields.set("ETag", derived);
  };
}

/**
 * The coding in which the client has the content that 304 is about, by the tag that it names: it goes on to use that
 * (RFC 9110 §15.4.5). Without a tag, the coding that 200 would have had.
 */
function codingKept(input: object, headers: Headers, chosen: Coding | null): Coding | null {
  const ifNoneMatch = requestField(input, "if-none-match");
  const etag = headers.get("etag");
  if (ifNoneMatch === null || etag === null) return chosen;
  const named = [...(chosen === null ? [] : [chosen]), null, ...contentCodings].find((coding) =>
    listsTag(ifNoneMatch, coding === null ? etag : formatDerivedTag(etag, coding)),
  );
  return named === undefined ? chosen : named;
}

function isShort(headers: Headers, minBytes: number): boolean {
  const length = headers.get("content-length");
  return length !== null && Number(length) < minBytes;
}
