/** What a key must be for an algorithm (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9964). */
export interface KeyKind {
  /** As a JWK says it. */
  readonly kty: "oct" | "RSA" | "EC" | "OKP" | "AKP";
  /** As Web Crypto calls its algorithm. */
  readonly name: string;
  /** Where Web Crypto has a key know it. */
  readonly hash?: string;
  readonly curve?: string;
  /** Of a secret, the least bytes (RFC 7518 §3.2); of a curve, those of a coordinate. */
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

/** The least bits of an RSA key (RFC 7518 §3.3, §3.5). */
export const leastModulusBits = 2048;
