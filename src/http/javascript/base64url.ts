import { formatBase64 } from "./base64.ts";

/** Writes bytes in Base64 of the URL-safe alphabet, without padding (RFC 4648 §5). */
export function formatBase64url(bytes: Uint8Array): string {
  return formatBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads Base64 of the URL-safe alphabet, with or without padding; null if it is something else. */
export function parseBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  // Decoders skip blanks, which would make a string look longer than its content.
  if (!/^[-\w]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  } catch {
    return null;
  }
}
