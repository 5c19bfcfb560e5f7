import { parseMediaType } from "../fields/media-type.ts";
import { joinedBytes } from "../http/javascript/joined-bytes.ts";
import { sha256 } from "../http/javascript/digest.ts";
import type { formPartsOf } from "./form-parts.ts";

export interface FingerprintedRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** The value of `Content-Type`; empty if there is none. */
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/**
 * Returns what distinguishes a request from another one with the same key: a SHA-256 over method, target, type and
 * bytes. Of a form in parts it is over name, file name, type and bytes of each part: a client makes another boundary
 * for each try.
 * @param partsOf `formPartsOf()`, or what loads it: programs without forms are smaller (npm run size).
 */
export function fingerprintOf(request: FingerprintedRequest, partsOf: typeof formPartsOf): string | Promise<string> {
  const { type } = request;
  const media = /multipart/i.test(type) ? parseMediaType(type) : null;
  const isForm = media?.type === "multipart" && media.subtype === "form-data";
  return isForm ? fingerprintOfForm(request, partsOf) : fingerprintOfBytes(request);
}

// JSON separates the parts, and ends before the content: no two requests look alike.
function fingerprintOfBytes({ method, target, type, content }: FingerprintedRequest): string | Promise<string> {
  return sha256(textThenBytes(JSON.stringify([method, target, type]), content));
}

/**
 * Joins the UTF-8 of a text and bytes.
 * PERF: `TextEncoder` takes 1 us for a few characters on Node 20 (`node bench/middleware.js --only=idempotency`).
 */
function textThenBytes(text: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = text;
  const bytes = new Uint8Array(length + content.length);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return joinedBytes(new TextEncoder().encode(text), content);
    bytes[at] = code;
  }
  bytes.set(content, length);
  return bytes;
}

async function fingerprintOfForm(request: FingerprintedRequest, partsOf: typeof formPartsOf): Promise<string> {
  const { method, target, type, content } = request;
  const parts = await partsOf(type, content);
  return parts === null ? fingerprintOfBytes(request) : sha256(JSON.stringify([method, target, parts]));
}

/** Returns the path and the query of a URL. */
export function targetOf(url: string): string {
  return url.replace(/^[^:/?#]+:\/\/[^/?#]*/, "").replace(/#.*/, "");
}
