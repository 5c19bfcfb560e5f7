import { given, givenOf, ownOf } from "../http/given.ts";
import type { OptionCheck } from "../http/option-check.ts";

/** What a key must be for an algorithm (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9964). */
interface KeyKind {
  /** As a JWK says it. */
  readonly kty: "oct" | "RSA" | "EC" | "OKP" | "AKP";
  /** As Web Crypto calls its algorithm. */
  readonly name: string;
  readonly curve?: string;
  /** Of a secret, the least bytes (RFC 7518 §3.2). */
  readonly bytes?: number;
}

const kinds: Readonly<Record<string, KeyKind>> = {
  HS256: { kty: "oct", name: "HMAC", bytes: 32 },
  HS384: { kty: "oct", name: "HMAC", bytes: 48 },
  HS512: { kty: "oct", name: "HMAC", bytes: 64 },
  ...ofHashes("RS", { kty: "RSA", name: "RSASSA-PKCS1-v1_5" }),
  ...ofHashes("PS", { kty: "RSA", name: "RSA-PSS" }),
  ES256: { kty: "EC", name: "ECDSA", curve: "P-256" },
  ES384: { kty: "EC", name: "ECDSA", curve: "P-384" },
  ES512: { kty: "EC", name: "ECDSA", curve: "P-521" },
  EdDSA: { kty: "OKP", name: "Ed25519" },
  Ed25519: { kty: "OKP", name: "Ed25519" },
  "ML-DSA-44": { kty: "AKP", name: "ML-DSA-44" },
  "ML-DSA-65": { kty: "AKP", name: "ML-DSA-65" },
  "ML-DSA-87": { kty: "AKP", name: "ML-DSA-87" },
};

function ofHashes(family: string, kind: KeyKind): Record<string, KeyKind> {
  return Object.fromEntries(["256", "384", "512"].map((bits) => [family + bits, kind]));
}

/** Refuses algorithms that no token can be verified by, however they are spelled. */
export function checkAlgorithms(check: OptionCheck, algorithms: readonly string[]): void {
  for (const algorithm of algorithms) {
    // RFC 8725 §3.2: "none" least of all.
    const isKnown = Object.hasOwn(kinds, algorithm);
    check.require(isKnown, "algorithms", `an array of ${Object.keys(kinds).join(", ")}`, algorithm);
  }
}

/** A key in any of the forms that `jose` takes: a JWK, a CryptoKey, or a KeyObject of Node. */
interface KeyLike {
  readonly kty?: unknown;
  readonly crv?: unknown;
  readonly k?: unknown;
  readonly d?: unknown;
  readonly priv?: unknown;
  readonly type?: unknown;
  readonly algorithm?: { readonly name?: unknown; readonly length?: unknown; readonly namedCurve?: unknown };
  readonly usages?: readonly unknown[];
  readonly symmetricKeySize?: unknown;
}

/** Refuses a key that is none, or that does not fit the algorithms; a function that finds keys may fit any. */
export function checkKey(check: OptionCheck, key: unknown, algorithms: readonly string[]): void {
  const isKey = (typeof key === "object" && key !== null) || typeof key === "function";
  const hint = "a secret in a string becomes one by new TextEncoder().encode(secret)";
  check.requireSecret(isKey, "key", `a key, or a function that finds one (${hint})`, key);
  if (typeof key === "function") return;
  // RFC 8725 §3.1: a key is for one algorithm.
  check.require(algorithms.length === 1, "algorithms", "the one algorithm of the key", algorithms);
  const kind = ownOf(kinds[algorithms[0]!]!);
  const isSecret = kind.bytes !== undefined;
  const expected = isSecret
    ? "a secret"
    : `a public key, ${kind.kty}${kind.curve === undefined ? "" : ` ${kind.curve}`},`;
  check.requireSecret(
    fits(key as KeyLike, kind),
    "key",
    `${expected} for ${algorithms[0]}, or a function that finds one`,
    key,
  );
  if (!isSecret) return;
  const isLong = bytesOf(key as KeyLike) >= kind.bytes;
  check.requireSecret(isLong, "key", `a secret of at least ${kind.bytes} bytes (RFC 7518 §3.2)`, key);
}

function fits(key: KeyLike, { kty, name, curve, bytes }: KeyKind): boolean {
  if (key instanceof Uint8Array) return bytes !== undefined;
  const jwk = givenOf(key, ["kty", "crv", "d", "priv"]);
  if (typeof jwk.kty === "string") {
    const isPrivate = bytes === undefined && (jwk.d !== undefined || jwk.priv !== undefined);
    return jwk.kty === kty && !isPrivate && (curve === undefined || jwk.crv === curve);
  }
  if (key.type !== (bytes === undefined ? "public" : "secret")) return false;
  const { algorithm, usages } = key;
  // A KeyObject, whose algorithm is for jose to see.
  if (algorithm === undefined) return true;
  const isCurve = curve === undefined || algorithm.namedCurve === curve;
  return algorithm.name === name && isCurve && usages?.includes("verify") === true;
}

function bytesOf(key: KeyLike): number {
  if (key instanceof Uint8Array) return key.byteLength;
  // Base64url has three bytes in four characters (RFC 7515 §2).
  const k = given(key, "k");
  if (typeof k === "string") return Math.floor((k.length * 3) / 4);
  const { algorithm, symmetricKeySize } = key;
  return algorithm === undefined ? Number(symmetricKeySize) : Number(algorithm.length) / 8;
}
