import { isBytes } from "../../http/javascript/any-realm.ts";
import { propertyOf, ownOf } from "../../http/javascript/property.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";
import { isVerifying, secretBytesOf } from "./json-web-key.ts";
import { leastModulusBits, signingAlgorithms, type KeyKind } from "./signing-algorithms.ts";

/** Refuses algorithms that no token can be verified by, however they are spelled. */
export function checkAlgorithms(check: OptionCheck, algorithms: readonly string[]): void {
  for (const algorithm of algorithms) {
    // RFC 8725 §3.2: "none" least of all.
    const isKnown = Object.hasOwn(signingAlgorithms, algorithm);
    check.require(isKnown, "algorithms", `an array of ${Object.keys(signingAlgorithms).join(", ")}`, algorithm);
  }
}

/** A key in any of the forms that `jose` takes: a JWK, a CryptoKey, or a KeyObject of Node. */
interface KeyLike {
  readonly kty?: unknown;
  readonly type?: unknown;
  readonly algorithm?: {
    readonly name?: unknown;
    readonly length?: unknown;
    readonly namedCurve?: unknown;
    readonly hash?: { readonly name?: unknown };
    readonly modulusLength?: unknown;
  };
  readonly usages?: readonly unknown[];
  readonly symmetricKeySize?: unknown;
}

/** Refuses a key that is none, or that does not fit the algorithms; a function that finds keys may fit any. */
export function checkKey(check: OptionCheck, key: unknown, algorithms: readonly string[]): void {
  const isKey = (typeof key === "object" && key !== null) || typeof key === "function";
  const hint = "a secret in a string becomes one by new TextEncoder().encode(secret)";
  check.requireSecret(isKey, "key", `a key, or a function that finds one (${hint})`);
  if (typeof key === "function") return;
  // RFC 8725 §3.1: a key is for one algorithm.
  check.require(algorithms.length === 1, "algorithms", "the one algorithm of the key");
  const algorithm = algorithms[0]!;
  const kind = ownOf(signingAlgorithms[algorithm]!);
  const { kty, curve, bytes = 0 } = kind;
  const isSecret = kty === "oct";
  const size = kty === "RSA" ? ` of at least ${leastModulusBits} bits` : "";
  const expected = isSecret ? "a secret" : `a public key, ${kty}${curve === undefined ? "" : ` ${curve}`}${size},`;
  const isFit = fits(key as KeyLike, algorithm, kind);
  check.requireSecret(isFit, "key", `${expected} for ${algorithm}, or a function that finds one`);
  if (!isSecret) return;
  const isLong = bytesOf(key as KeyLike) >= bytes;
  check.requireSecret(isLong, "key", `a secret of at least ${bytes} bytes (RFC 7518 §3.2)`);
}

function fits(key: KeyLike, algorithm: string, { kty, name, hash, curve }: KeyKind): boolean {
  if (isBytes(key)) return kty === "oct";
  if (typeof propertyOf(key, "kty") === "string") return isVerifying(key, algorithm);
  if (key.type !== (kty === "oct" ? "secret" : "public")) return false;
  const { algorithm: own, usages } = key;
  // A KeyObject, whose algorithm is for jose to see.
  if (own === undefined) return true;
  if (own.name !== name || usages?.includes("verify") !== true) return false;
  if (hash !== undefined && own.hash?.name !== hash) return false;
  return kty === "EC" ? own.namedCurve === curve : kty !== "RSA" || Number(own.modulusLength) >= leastModulusBits;
}

function bytesOf(key: KeyLike): number {
  if (isBytes(key)) return key.byteLength;
  if (typeof propertyOf(key, "kty") === "string") return secretBytesOf(key);
  const { algorithm, symmetricKeySize } = key;
  return algorithm === undefined ? Number(symmetricKeySize) : Number(algorithm.length) / 8;
}
