import { isStream } from "../http/javascript/any-realm.ts";
import { described } from "../http/javascript/described.ts";
import { propertiesOf, propertyOf } from "../http/javascript/property.ts";
import { readerOf } from "../http/message/content-reader.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { parseList } from "./list.ts";
import { hasContent } from "./request-content.ts";
import { requestField } from "./request-fields.ts";
import type { ChunkReader } from "./whole-content.ts";

/** Content that breaks off is the client's doing, unless middleware broke it off: that says why. */
export function unreadable(cause: unknown): never {
  throw cause instanceof HTTPError ? cause : new HTTPError(Status.BadRequest, "The content broke off", { cause });
}

/**
 * Refuses content that is compressed, or declared as compressed: no reader decodes it (RFC 9110 §8.4).
 *
 * @throws {HTTPError} 415 when the content has a content coding.
 */
export function refuseCoded(input: object): void {
  const codings = requestField(input, "content-encoding");
  if (codings === null || parseList(codings).every((coding) => coding.toLowerCase() === "identity")) return;
  // RFC 9110 §12.5.3: so the client knows that its type was not the reason.
  const headers = { "Accept-Encoding": "identity" };
  throw new HTTPError(Status.UnsupportedMediaType, "The content has a content coding", { headers });
}

/**
 * Reads the content of a `Request`, or of what an input of the polyfill chain carries: a `Request`, or Node's message. Null if there is
 * none.
 */
export function contentReaderOf(input: object): ChunkReader | null {
  const { body, request } = propertiesOf(input as Carrying, ["body", "request"]);
  const content = body ?? (request === undefined ? undefined : propertyOf(request, "body"));
  if (isStream(content)) return readable(readerOf(content));
  if (content === null || (content === undefined && !hasContent(input))) return null;
  const iterator = request === undefined ? undefined : propertyOf(request, "iterator");
  if (typeof iterator === "function") {
    // Node would destroy a message that is not read to its end, and its connection.
    const chunks = iterator.call(request, { destroyOnReturn: false });
    return readable({ read: () => chunks.next(), cancel: async () => chunks.return?.() });
  }
  throw new TypeError(
    `Cannot read the content: expected a Request, or a context with the request of Node, got ${described(input)}`,
  );
}

function readable(reader: ChunkReader): ChunkReader {
  return { read: () => reader.read().catch(unreadable), cancel: (reason) => reader.cancel(reason) };
}

/** An input, and what of it may have content. */
interface Carrying {
  readonly body?: unknown;
  readonly request?: {
    readonly body?: unknown;
    iterator?(options: { readonly destroyOnReturn: boolean }): AsyncIterator<unknown>;
  };
}
