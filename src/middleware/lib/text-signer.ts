import { formatBase64url, parseBase64url } from "./base64url.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" };

/** Whether a secret can sign: RFC 2104 §3 discourages one that is shorter than what the hash gives. */
export function isSecret(secret: unknown): boolean {
  return typeof secret === "string" && new TextEncoder().encode(secret).byteLength >= 32;
}

/** Signs texts by HMAC with SHA-256 (RFC 2104): by the first of some secrets, and verifies by all of them. */
export class TextSigner {
  readonly #secrets: readonly string[];
  #keys: Promise<readonly CryptoKey[]> | null = null;

  constructor(secrets: readonly string[]) {
    this.#secrets = [...secrets];
  }

  /** The signature of a text, in Base64 of the URL-safe alphabet. */
  async sign(text: string): Promise<string> {
    const [key] = await this.#imported();
    return formatBase64url(new Uint8Array(await crypto.subtle.sign(algorithm, key!, new TextEncoder().encode(text))));
  }

  /** Returns whether a signature is that of a text by one of the secrets, in a time that tells no more. */
  async verify(text: string, signature: string): Promise<boolean> {
    // 32 bytes in the one way that we write them: no padding, nothing else behind the last one.
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
