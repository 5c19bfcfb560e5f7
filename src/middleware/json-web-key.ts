import { givenOf, ownOf } from "../http/given.ts";
import { leastModulusBits, signingAlgorithms } from "./signing-algorithms.ts";

const names = ["kty", "alg", "use", "key_ops", "ext", "crv", "k", "n", "e", "x", "y", "pub", "d", "priv"] as const;

type Members = Readonly<Partial<Record<(typeof names)[number], unknown>>>;

/** Whether a JWK (RFC 7517) can verify by an algorithm, as far as can be told without importing it. */
export function isVerifying(key: object, algorithm: string): boolean {
  const { kty, curve, bytes } = ownOf(signingAlgorithms[algorithm]!);
  const jwk: Members = givenOf(key as Members, names);
  if (jwk.kty !== kty || !isMeant(jwk, algorithm)) return false;
  if (kty === "oct") return bytesOf(jwk.k) !== null;
  if (jwk.d !== undefined || jwk.priv !== undefined) return false;
  if (kty === "RSA") return bitsOf(jwk.n) >= leastModulusBits && bytesOf(jwk.e) !== null;
  // RFC 9964 §4: it is the algorithm that tells what the key is.
  if (kty === "AKP") return jwk.alg === algorithm && bytesOf(jwk.pub) !== null;
  const coordinates = kty === "EC" ? [jwk.x, jwk.y] : [jwk.x];
  return jwk.crv === curve && coordinates.every((coordinate) => bytesOf(coordinate)?.length === bytes);
}

/** The bytes of a secret in a JWK; 0 if there are none. */
export function secretBytesOf(key: object): number {
  return bytesOf(givenOf(key as Members, ["k"]).k)?.length ?? 0;
}

/** Whether what it says of its purpose allows it (RFC 7517 §4.2 to §4.4), as `jose` and Web Crypto read that. */
function isMeant({ kty, alg, use, key_ops: operations, ext }: Members, algorithm: string): boolean {
  if ((alg !== undefined && alg !== algorithm) || (use !== undefined && use !== "sig")) return false;
  if (ext !== undefined && typeof ext !== "boolean") return false;
  if (operations === undefined) return true;
  if (!Array.isArray(operations) || !operations.includes("verify")) return false;
  // A public key can do nothing else; none does it twice.
  const others = operations.filter((operation) => operation !== "verify");
  return others.length === operations.length - 1 && (kty === "oct" || others.length === 0);
}

function bitsOf(modulus: unknown): number {
  const bytes = bytesOf(modulus) ?? "";
  let first = 0;
  while (bytes.charCodeAt(first) === 0) first++;
  return (bytes.length - first) * 8 + 24 - Math.clz32(bytes.charCodeAt(first));
}

/** Base64url (RFC 7515 §2), with or without padding, as a string of bytes; null if it is something else. */
function bytesOf(text: unknown): string | null {
  // Decoders pass over blanks, which would make a secret look longer than it is.
  if (typeof text !== "string" || !/^[\w-]+={0,2}$/.test(text)) return null;
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}
