import { HTTPError } from "../protocol/http-error.ts";
import { Status } from "../protocol/status.ts";

/**
 * Bytes without UTF-8's own form are refused; by default they would become U+FFFD, and two different texts the same. A
 * byte order mark is content.
 */
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads UTF-8 of a request.
 * @param what names it in errors.
 * @throws {HTTPError} 400 when it is something else.
 */
export function utf8Text(bytes: Uint8Array, what: string): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new HTTPError(Status.BadRequest, `${what} is not UTF-8`, { cause });
  }
}
