import type { OptionCheck } from "./options.ts";

/** RFC 7518 §3.2: the least bytes of a secret. */
const secretBytes: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/** Refuses a key that is none, or that does not fit the algorithms; a function that finds keys may fit any. */
export function checkKey(check: OptionCheck, key: unknown, algorithms: readonly string[]): void {
  const isKey = (typeof key === "object" && key !== null) || typeof key === "function";
  check.require(isKey, "key", "a key, or a function that finds one", key);
  if (typeof key === "function") return;
  // RFC 8725 §3.1: a key is for one algorithm.
  check.require(algorithms.length === 1, "algorithms", "the one algorithm of the key", algorithms);
  const least = secretBytes[algorithms[0]!];
  if (!(key instanceof Uint8Array)) return;
  check.require(least !== undefined, "key", "a public key for this algorithm, not a secret", key);
  check.require(key.byteLength >= least!, "key", `a secret of at least ${least} bytes (RFC 7518 §3.2)`, key);
}

/** Keys that come over a channel that others can write to are nobody's keys; one's own machine is no such channel. */
export function isTrustworthy(uri: string | URL): boolean {
  if (!URL.canParse(String(uri))) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}
