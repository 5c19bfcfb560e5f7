import { formatBase64url } from "./base64url.ts";

/** Returns the SHA-256 of a text in Base64url, as JSON Web Tokens have it. */
export async function sha256Base64url(text: string): Promise<string> {
  return formatBase64url(await webSha256(new TextEncoder().encode(text)));
}

export async function webSha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
