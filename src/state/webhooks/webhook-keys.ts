import { parseBase64 } from "../../http/javascript/base64.ts";
import { joinedBytes } from "../../http/javascript/joined-bytes.ts";

const hmac = { name: "HMAC", hash: "SHA-256" };

/** Returns the HMAC with SHA-256 of bytes (RFC 2104). */
export async function hmacOf(secret: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(hmac, key, signed));
}

/** Returns whether a signature is of a public key of Ed25519 (RFC 8032). */
export async function isSignedBy(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, signed);
}

/** Signs bytes by the seed of a private key of Ed25519 (RFC 8032). */
export async function signatureBy(seed: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // RFC 8410 §7: Web Crypto reads no private key by its bytes alone.
  const key = await crypto.subtle.importKey("pkcs8", joinedBytes(privateKeyHead, seed), "Ed25519", false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("Ed25519", key, signed));
}

const privateKeyHead = new Uint8Array([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);

/** A secret of Standard Webhooks, as its prefix says it. */
export interface StandardSecret {
  readonly prefix: "whsec_" | "whpk_" | "whsk_";
  /** The bytes of the secret. A private key has its seed here. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a secret of Standard Webhooks: `whsec_` is shared, of 24 to 64 bytes. `whpk_` is a public key of Ed25519, and
 * `whsk_` a private one, with or without the public one after it. Null for anything else.
 */
export function parseStandardSecret(text: unknown): StandardSecret | null {
  const [, prefix, encoded = ""] = /^(whsec_|whpk_|whsk_)(.{1,88})$/.exec(String(text)) ?? [];
  const bytes = parseBase64(encoded);
  if (prefix === undefined || bytes === null) return null;
  const { length } = bytes;
  if (prefix === "whsec_") return length >= 24 && length <= 64 ? { prefix, bytes } : null;
  if (prefix === "whpk_") return length === 32 ? { prefix, bytes } : null;
  return length === 32 || length === 64 ? { prefix: "whsk_", bytes: bytes.slice(0, 32) } : null;
}

/** Returns what Standard Webhooks signs: id, time and content, with full stops between. */
export function signedBytes(id: string, seconds: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinedBytes(new TextEncoder().encode(`${id}.${seconds}.`), content);
}
