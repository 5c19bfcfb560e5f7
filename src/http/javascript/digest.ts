import { builtinModule, type ModuleHost } from "./builtin-module.ts";

/** Returns the SHA-256 of a text or bytes in hexadecimal digits, or a Promise of it. */
export type Digest = (content: string | Uint8Array<ArrayBuffer>) => string | Promise<string>;

interface NodeCrypto {
  createHash(algorithm: "sha256"): { update(content: string | Uint8Array): { digest(encoding: "hex"): string } };
  /** Since Node 20.12. */
  hash?(algorithm: "sha256", content: string | Uint8Array, encoding: "hex"): string;
}

/**
 * Finds how a runtime makes digests. PERF: Web Crypto works in another thread, which costs 60 us. An object that hashes
 * costs 3, `hash()` 0.8 (`node bench/requests.js`, R4).
 */
export function digestBy(host: ModuleHost): Digest {
  const node = builtinModule("node:crypto", host) as NodeCrypto | undefined;
  if (node === undefined) return webDigest;
  if (typeof node.hash === "function") return (content) => node.hash!("sha256", content, "hex");
  return (content) => node.createHash("sha256").update(content).digest("hex");
}

export const sha256: Digest = digestBy(globalThis as ModuleHost);

async function webDigest(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
