import { propertiesOf, ownOf } from "../../http/javascript/property.ts";
import { parseBase64url } from "../../http/javascript/base64url.ts";
import { leastModulusBits, signingAlgorithms } from "./signing-algorithms.ts";

const names = ["kty", "alg", "use", "key_ops", "ext", "crv", "k", "n", "e", "x", "y", "pub", "d", "priv"] as const;

type Members = Readonly<Partial<Record<(typeof names)[number], unknown>>>;

/** Returns whether a JWK (RFC 7517) can verify by an algorithm, as far as can be told without importing it. */
export function isVerifying(key: object, algorithm: string): boolean {
  const { kty, curve, bytes } = ownOf(signingAlgorithms[algorithm]!);
  const jwk: Members = propertiesOf(key as Members, names);
  if (jwk.kty !== kty || !isMeant(jwk, algorithm)) return false;
  if (kty === "oct") return bytesOf(jwk.k) !== null;
  if (jwk.d !== undefined || jwk.priv !== undefined) return false;
  if (kty === "RSA") return bitsOf(jwk.n) >= leastModulusBits && bytesOf(jwk.e) !== null;
  // RFC 9964 §4: the algorithm decides the kind of key.
  if (kty === "AKP") return jwk.alg === algorithm && bytesOf(jwk.pub) !== null;
  const coordinates = kty === "EC" ? [jwk.x, jwk.y] : [jwk.x];
  return jwk.crv === curve && coordinates.every((coordinate) => bytesOf(coordinate)?.length === bytes);
}

/** The bytes of a secret in a JWK; 0 if there are none. */
export function secretBytesOf(key: object): number {
  return bytesOf(propertiesOf(key as Members, ["k"]).k)?.length ?? 0;
}

/**
 * Returns whether what it says of its purpose allows it (RFC 7517 §4.2 to §4.4), as `jose` and Web Crypto read that.
 */
function isMeant({ kty, alg, use, key_ops: operations, ext }: Members, algorithm: string): boolean {
  if ((alg !== undefined && alg !== algorithm) || (use !== undefined && use !== "sig")) return false;
  if (ext !== undefined && typeof ext !== "boolean") return false;
  if (operations === undefined) return true;
  if (!Array.isArray(operations) || !operations.includes("verify")) return false;
  // RFC 7517 §4.3: no operation is there twice. A public key verifies, and has no other operation.
  const others = operations.filter((operation) => operation !== "verify");
  return others.length === operations.length - 1 && (kty === "oct" || others.length === 0);
}

function bitsOf(modulus: unknown): number {
  const bytes = bytesOf(modulus) ?? new Uint8Array();
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : (bytes.length - first) * 8 + 24 - Math.clz32(bytes[first]!);
}

function bytesOf(text: unknown): Uint8Array | null {
  return typeof text === "string" ? parseBase64url(text) : null;
}
