import { parseCacheControl } from "../../fields/cache-control.ts";
import { parseList } from "../../fields/list.ts";
import { essenceOf } from "../../fields/media-type.ts";
import { readAhead } from "./read-ahead.ts";

// RFC 9110 §15.4.5: what describes content is not repeated to who has it. Last-Modified is, where nothing better is there.
const descriptive =
  "accept-ranges content-digest content-disposition content-encoding content-language content-length content-md5 content-range " +
  "content-type digest repr-digest trailer transfer-encoding";

/** Makes the response 304 to a request for what the client has already, with all fields that 200 would have had but those. */
export function notModified(headers: Headers): Response {
  const kept = new Headers(headers);
  for (const name of descriptive.split(" ")) kept.delete(name);
  if (kept.has("etag")) kept.delete("last-modified");
  return new Response(null, { status: 304, statusText: "Not Modified", headers: kept });
}

/**
 * Gives a response an entity tag, computed from its content and media type, if it is 200, has none, and its content is there
 * at once and no longer than a bound. Other content passes as it comes, and so does what was compressed for this client:
 * whether that is there at once is up to chance, and its bytes are up to whatever made them.
 */
export async function tagged(response: Response, maxBytes: number): Promise<Response> {
  const { body, headers, status } = response;
  if (body === null || status !== 200 || maxBytes === 0 || headers.has("etag")) return response;
  const isEvents = essenceOf(headers.get("content-type") ?? "") === "text/event-stream";
  if (Number(headers.get("content-length")) > maxBytes || isEvents) return response;
  if (parseCacheControl(headers.get("cache-control") ?? "").has("no-store") || isOneOfCodings(headers)) return response;
  const content = await readAhead(body, maxBytes);
  const copy = new Response(content as BodyInit, response);
  if (content instanceof Uint8Array) {
    copy.headers.set("etag", `"${await digestOf(content, headers.get("content-type") ?? "")}"`);
  }
  return copy;
}

/** Whether a tag may be computed, up to a bound, of the content of which this response has a part, or nothing. */
export function isTaggable({ headers, status }: Response, maxBytes: number): boolean {
  const length =
    status === 206 ? /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] : headers.get("content-length");
  return maxBytes > 0 && Number(length ?? 0) <= maxBytes;
}

/**
 * Whether a representation is coded, and might have been coded in another way: a strong tag must not be that of both (RFC 9110
 * §8.8.3.3).
 */
export function isOneOfCodings(headers: Headers): boolean {
  const vary = parseList(headers.get("vary") ?? "").map((name) => name.toLowerCase());
  return headers.has("content-encoding") && (vary.includes("accept-encoding") || vary.includes("*"));
}

/** RFC 9110 §8.8.1: the same bytes under another media type are another representation. */
async function digestOf(content: Uint8Array, mediaType: string): Promise<string> {
  const suffix = new TextEncoder().encode(`\n${mediaType}`);
  const bytes = new Uint8Array(content.byteLength + suffix.byteLength);
  bytes.set(content);
  bytes.set(suffix, content.byteLength);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  // 128 bits are far more than chance can meet.
  return btoa(String.fromCharCode(...digest.subarray(0, 16))).slice(0, 22);
}
