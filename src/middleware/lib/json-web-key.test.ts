import { describe, expect, it } from "vitest";
import { isVerifying, secretBytesOf } from "./json-web-key.ts";

/** Returns base64url of so many bytes of 255, after as many zeros. */
function number(bytes: number, zeros = 0): string {
  return Buffer.concat([Buffer.alloc(zeros), Buffer.alloc(bytes, 255)]).toString("base64url");
}

describe("isVerifying()", () => {
  it("RFC 7517 §4.1 takes no key of another type, whatever members it has", () => {
    const curve = { crv: "P-256", x: number(32), y: number(32) };
    const all = { ...curve, n: number(256), e: "AQAB", k: number(32) };
    expect(isVerifying({ kty: "EC", ...all }, "ES256")).toBe(true);
    for (const kty of ["RSA", "OKP", "oct", "AKP"]) expect(isVerifying({ kty, ...all }, "ES256")).toBe(false);
    expect(isVerifying({ kty: "RSA", ...all }, "RS256")).toBe(true);
    for (const kty of ["EC", "OKP", "oct", "AKP"]) expect(isVerifying({ kty, ...all }, "RS256")).toBe(false);
  });

  it("RFC 7518 §3.3 counts the bits of a modulus without the zeros in front", () => {
    const isLong = (n: string): boolean => isVerifying({ kty: "RSA", e: "AQAB", n }, "RS256");
    expect([isLong(number(256)), isLong(number(256, 3)), isLong(number(255, 3))]).toEqual([true, true, false]);
    expect(isLong(number(0, 300))).toBe(false);
  });

  it("RFC 7515 §2 takes no secret that is not Base64url as a whole", () => {
    const isSecret = (k: unknown): boolean => isVerifying({ kty: "oct", k }, "HS256");
    for (const k of ["AAAA", "-_8", "-_8="]) expect(isSecret(k), k).toBe(true);
    for (const k of [" AAAA", "AAAA\n", "AA AA", "A", "AAAAA", "A===", "", 5, ["AAAA"]]) {
      expect(isSecret(k), String(k)).toBe(false);
    }
  });
});

describe("secretBytesOf()", () => {
  it("counts the bytes of a secret, padded or not", () => {
    expect(secretBytesOf({ k: "AAAA" })).toBe(3);
    expect(secretBytesOf({ k: "-_8" })).toBe(2);
    expect(secretBytesOf({ k: "-_8=" })).toBe(2);
  });

  it("is 0 where there is none", () => {
    for (const key of [{}, { k: 5 }, { k: "" }, { k: "A A" }, { k: "A" }]) expect(secretBytesOf(key)).toBe(0);
  });
});
