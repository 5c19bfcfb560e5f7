const algorithm = { name: "HMAC", hash: "SHA-256" };

/** Makes a key of a secret, for `signatureOf()` and `isSignature()`. */
export function keyOf(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"]);
}

/** Signs a text: HMAC with SHA-256 (RFC 2104), in Base64 of the URL-safe alphabet. */
export async function signatureOf(key: CryptoKey, text: string): Promise<string> {
  return base64urlOf(new Uint8Array(await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text))));
}

/** Tells whether a signature is that of a text by one of these keys, in a time that tells no more. */
export async function isSignature(keys: readonly CryptoKey[], signature: string, text: string): Promise<boolean> {
  const bytes = bytesOfBase64url(signature);
  if (bytes === null) return false;
  for (const key of keys) {
    if (await crypto.subtle.verify(algorithm, key, bytes, new TextEncoder().encode(text))) return true;
  }
  return false;
}

function base64urlOf(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The 32 bytes of a signature, written in the one way that we write it. */
function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[-\w]{43}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  return base64urlOf(bytes) === text ? bytes : null;
}
