import { formatBase64url } from "./base64url.ts";

/** Returns the SHA-256 of a text in Base64url, as JSON Web Tokens have it. Clients need nothing of Node for it. */
export async function sha256Base64url(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return formatBase64url(new Uint8Array(digest));
}
