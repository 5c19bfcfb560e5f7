import { parseMediaType } from "../../fields/media-type.ts";
import { joinedBytes } from "../../http/javascript/joined-bytes.ts";
import { sha256 } from "../../http/javascript/digest.ts";

/** The parts of a request that its fingerprint is made of. */
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
 * bytes.
 *
 * Of a form in parts it is over name, file name, type and bytes of each part: a client makes another boundary for each
 * try.
 */
export async function fingerprintOf({ method, target, type, content }: FingerprintedRequest): Promise<string> {
  const media = /multipart/i.test(type) ? parseMediaType(type) : null;
  const isForm = media?.type === "multipart" && media.subtype === "form-data";
  const parts = isForm ? await partsOf(type, content) : null;
  // JSON separates them, and ends before the content: no two requests look alike.
  if (parts !== null) return sha256(JSON.stringify([method, target, parts]));
  const head = new TextEncoder().encode(JSON.stringify([method, target, type]));
  return sha256(joinedBytes(head, content));
}

/** Returns the path and the query of a URL. */
export function targetOf(url: string): string {
  return url.replace(/^[^:/?#]+:\/\/[^/?#]*/, "").replace(/#.*/, "");
}

async function partsOf(type: string, content: Uint8Array<ArrayBuffer>): Promise<readonly (readonly string[])[] | null> {
  let form: FormData;
  try {
    form = await new Response(content, { headers: { "content-type": type } }).formData();
  } catch {
    // The handler refuses it, or reads it otherwise.
    return null;
  }
  const parts: (readonly string[])[] = [];
  for (const [name, part] of form) {
    if (typeof part === "string") parts.push([name, part]);
    else parts.push([name, part.name, part.type, await sha256(new Uint8Array(await part.arrayBuffer()))]);
  }
  return parts;
}
