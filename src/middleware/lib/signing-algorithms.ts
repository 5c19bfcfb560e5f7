/** The kind of key that an algorithm requires (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9964). */
export interface KeyKind {
  /** The key type of a JWK. */
  readonly kty: "oct" | "RSA" | "EC" | "OKP" | "AKP";
  readonly name: string;
  /** The hash, if keys in Web Crypto have one. */
  readonly hash?: string;
  readonly curve?: string;
  /** The fewest bytes of a secret (RFC 7518 §3.2), or the bytes of a curve's coordinate. */
  readonly bytes?: number;
}

/** The algorithms that a token may be signed by, as far as `jose` knows them. */
export const signingAlgorithms: Readonly<Record<string, KeyKind>> = {
  HS256: { kty: "oct", name: "HMAC", hash: "SHA-256", bytes: 32 },
  HS384: { kty: "oct", name: "HMAC", hash: "SHA-384", bytes: 48 },
  HS512: { kty: "oct", name: "HMAC", hash: "SHA-512", bytes: 64 },
  ...ofHashes("RS", { kty: "RSA", name: "RSASSA-PKCS1-v1_5" }),
  ...ofHashes("PS", { kty: "RSA", name: "RSA-PSS" }),
  ES256: { kty: "EC", name: "ECDSA", curve: "P-256", bytes: 32 },
  ES384: { kty: "EC", name: "ECDSA", curve: "P-384", bytes: 48 },
  ES512: { kty: "EC", name: "ECDSA", curve: "P-521", bytes: 66 },
  EdDSA: { kty: "OKP", name: "Ed25519", curve: "Ed25519", bytes: 32 },
  Ed25519: { kty: "OKP", name: "Ed25519", curve: "Ed25519", bytes: 32 },
  "ML-DSA-44": { kty: "AKP", name: "ML-DSA-44" },
  "ML-DSA-65": { kty: "AKP", name: "ML-DSA-65" },
  "ML-DSA-87": { kty: "AKP", name: "ML-DSA-87" },
};

function ofHashes(family: string, kind: KeyKind): Record<string, KeyKind> {
  return Object.fromEntries(["256", "384", "512"].map((bits) => [family + bits, { ...kind, hash: `SHA-${bits}` }]));
}

/** The fewest bits of an RSA key (RFC 7518 §3.3, §3.5). */
export const leastModulusBits = 2048;
