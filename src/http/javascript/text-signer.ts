import { formatBase64url, parseBase64url } from "./base64url.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" };

/** Returns whether a secret can sign. RFC 2104 §3 discourages secrets that are shorter than the output of the hash. */
export function isSecret(secret: unknown): boolean {
  return typeof secret === "string" && new TextEncoder().encode(secret).byteLength >= 32;
}

/** Returns whether a value is an array of secrets, one at least. */
export function areSecrets(secrets: unknown): boolean {
  return Array.isArray(secrets) && secrets.length > 0 && secrets.every(isSecret);
}

/**
 * Signs strings by HMAC with SHA-256 (RFC 2104). Signs with the first of several secrets, and verifies with all of
 * them.
 */
export class TextSigner {
  readonly #secrets: readonly string[];
  #keys: Promise<readonly CryptoKey[]> | null = null;

  constructor(secrets: readonly string[]) {
    this.#secrets = [...secrets];
  }

  async sign(text: string): Promise<string> {
    const [key] = await this.#imported();
    return formatBase64url(new Uint8Array(await crypto.subtle.sign(algorithm, key!, new TextEncoder().encode(text))));
  }

  /** Returns whether a signature fits a string by one of the secrets. The time that it takes reveals nothing more. */
  async verify(text: string, signature: string): Promise<boolean> {
    // 32 bytes in the only form that we write: no padding, nothing after the last byte.
    const bytes = signature.length === 43 ? parseBase64url(signature) : null;
    if (bytes === null || formatBase64url(bytes) !== signature) return false;
    for (const key of await this.#imported()) {
      if (await crypto.subtle.verify(algorithm, key, bytes, new TextEncoder().encode(text))) return true;
    }
    return false;
  }

  #imported(): Promise<readonly CryptoKey[]> {
    return (this.#keys ??= Promise.all(this.#secrets.map(importKey)));
  }
}

function importKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign", "verify"]);
}
