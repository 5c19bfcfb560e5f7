import { isStream } from "../http/javascript/any-realm.ts";
import { Middleware, type MiddlewareClass } from "../application/middleware.ts";
import { readerOf } from "../http/message/content-reader.ts";
import { described } from "../http/javascript/described.ts";
import { propertiesOf } from "../http/javascript/property.ts";
import type { HTTPError } from "../http/protocol/http-error.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { discardLate } from "./lib/late-result.ts";
import { counted } from "../fields/counted-content.ts";
import { bounded, claimedLengthOf, readWhole, tooLong } from "../fields/whole-content.ts";
import { replacedInput } from "../dispatch/replaced-input.ts";

/** Options of `bodyLimit()`. */
export interface BodyLimitOptions {
  /** The most bytes that the content of a request may have. */
  readonly maxBytes: number;
  /**
   * Whether the handler gets the content while it comes in, counted as it is read. Otherwise all of it is read first,
   * so that a handler never runs for content that is too large.
   */
  readonly stream?: boolean | undefined;
}

/**
 * Makes middleware for the native module that answers 413 to content of more than so many bytes (RFC 9110 §15.5.14).
 *
 * A `Content-Length` that is too large is refused at once. Whatever it says, the bytes that come are counted.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder()
 *   .middleware(bodyLimit({ maxBytes: 1_048_576 }))
 *   .build();
 * const upload = new Request("http://localhost/", { method: "POST", body: "x".repeat(2_000_000) });
 * console.log((await app.fetch(upload)).status); // 413
 * ```
 */
export function bodyLimit(options: BodyLimitOptions): MiddlewareClass {
  const check = new OptionCheck("bodyLimit", options, ["maxBytes", "stream"]);
  const { maxBytes, stream = false } = check.options;
  const isCount = Number.isSafeInteger(maxBytes) && maxBytes >= 0;
  check.require(isCount, "maxBytes", "a whole number that is not negative");
  check.boolean("stream");

  return class BodyLimit extends Middleware {
    static readonly answers = { 413: "The content is too large" };

    async ALL(input: object): Promise<unknown> {
      if (claimedLengthOf(input) > maxBytes) throw tooLong(maxBytes);
      const content = contentOf(input);
      // A locked body, as after json() further out, cannot be read further in either.
      if (content === null || content.locked) return this.next(input);
      if (!stream) {
        const body = await readWhole(bounded(readerOf(content), maxBytes, tooLong), maxBytes);
        return this.next(input, replacedInput(input, { body }));
      }

      let refuse!: (error: HTTPError) => void;
      const refused = new Promise<never>((_, reject) => (refuse = reject));
      // Nobody waits for it if next() throws before it returns a Promise, or has answered.
      refused.catch(() => {});
      const body = counted(content, maxBytes, () => {
        const error = tooLong(maxBytes);
        refuse(error);
        return error;
      });
      const result = this.next(input, replacedInput(input, { body }));
      try {
        return await Promise.race([refused, result]);
      } catch (error) {
        void discardLate(result);
        throw error;
      }
    }
  };
}

function contentOf(input: object): ReadableStream<Uint8Array> | null {
  const { body, request } = propertiesOf(input as { body?: unknown; request?: unknown }, ["body", "request"]);
  if (isStream(body)) return body as ReadableStream<Uint8Array>;
  // The content of a context is in a place where this middleware cannot count it.
  if ((body === undefined || body === null) && request === undefined) return null;
  throw new TypeError(
    `Cannot limit the content: expected a Request, got ${described(input)}; use bodyLimit() with http.native.js`,
  );
}
