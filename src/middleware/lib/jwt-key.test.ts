import { beforeAll, describe, expect, it } from "vitest";
import { OptionCheck } from "../../http/javascript/option-check.ts";
import { checkKey } from "./jwt-key.ts";

const { subtle } = crypto;
const names = [
  ...["HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"],
  ...["EdDSA", "Ed25519", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87"],
];

let rsa: ArrayBuffer;

beforeAll(async () => {
  const kind = { name: "RSA-PSS", hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  rsa = await subtle.exportKey("spki", (await subtle.generateKey(kind, true, ["sign", "verify"])).publicKey);
});

/** A key for an algorithm, in each of the forms that there are of it on all platforms. */
async function keysFor(algorithm: string): Promise<unknown[]> {
  const bits = algorithm.slice(-3);
  const hash = `SHA-${bits}`;
  if (algorithm.startsWith("HS")) {
    const bytes = new Uint8Array(Number(bits) / 8);
    const key = await subtle.importKey("raw", bytes, { name: "HMAC", hash }, true, ["verify"]);
    return [key, await subtle.exportKey("jwk", key)];
  }
  // Node 20 has no such keys.
  if (algorithm.startsWith("ML")) {
    const key = { type: "public", algorithm: { name: algorithm }, usages: ["verify"] };
    return [key, { kty: "AKP", alg: algorithm, pub: "AA" }];
  }
  if (algorithm.startsWith("E")) {
    const curves: Record<string, string> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };
    const namedCurve = curves[algorithm];
    const kind = namedCurve === undefined ? { name: "Ed25519" } : { name: "ECDSA", namedCurve };
    const { publicKey } = (await subtle.generateKey(kind, true, ["sign", "verify"])) as CryptoKeyPair;
    const { alg: _, ...jwk } = await subtle.exportKey("jwk", publicKey);
    return [publicKey, jwk];
  }
  const name = algorithm.startsWith("RS") ? "RSASSA-PKCS1-v1_5" : "RSA-PSS";
  const key = await subtle.importKey("spki", rsa, { name, hash }, true, ["verify"]);
  return [key, await subtle.exportKey("jwk", key)];
}

/** Returns why a key is refused for an algorithm; null if it is not. */
function refusalFor(key: unknown, algorithm: string): string | null {
  try {
    checkKey(new OptionCheck("jwt", { key, algorithms: [algorithm] }, ["key", "algorithms"]), key, [algorithm]);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("checkKey()", () => {
  it.each(names)("RFC 8725 §3.1 takes a key for %s, and for no other algorithm", async (algorithm) => {
    for (const key of await keysFor(algorithm)) {
      const fitting = names.filter((name) => refusalFor(key, name) === null);
      expect(fitting).toEqual(algorithm.startsWith("Ed") ? ["EdDSA", "Ed25519"] : [algorithm]);
    }
  });

  it("RFC 7518 §3.2 takes a secret of as many bytes as its hash has", () => {
    const bytesOf: Record<string, number> = { HS256: 32, HS384: 48, HS512: 64 };
    for (const [algorithm, bytes] of Object.entries(bytesOf)) {
      expect(refusalFor(new Uint8Array(bytes), algorithm)).toBeNull();
      expect(refusalFor(new Uint8Array(bytes - 1), algorithm)).toContain(`a secret of at least ${bytes} bytes`);
    }
  });

  it("refuses what has the type of a key and lacks the rest", () => {
    const rest = [{ algorithm: {} }, { algorithm: { name: "RSASSA-PKCS1-v1_5" } }];
    for (const part of [...rest, { algorithm: { name: "RSASSA-PKCS1-v1_5" }, usages: ["verify"] }]) {
      expect(refusalFor({ type: "public", ...part }, "RS256")).toContain("a public key, RSA of at least 2048 bits,");
    }
  });
});
