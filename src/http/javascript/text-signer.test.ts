import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isSecret, TextSigner } from "./text-signer.ts";

const [secret, other] = ["s".repeat(32), "o".repeat(32)] as const;

describe("TextSigner", () => {
  it("RFC 4231 computes HMAC with SHA-256", async () => {
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode("user=7"));
    expect(await new TextSigner([secret]).sign("user=7")).toBe(Buffer.from(signature).toString("base64url"));
  });

  it("verifies what it signed, and nothing that is written in another way", async () => {
    const signer = new TextSigner([secret]);
    for (const text of ["", "a.b.c", "é"]) expect(await signer.verify(text, await signer.sign(text))).toBe(true);
    const signature = await signer.sign("a");
    expect(await signer.verify("b", signature)).toBe(false);
    const last = String.fromCharCode(signature.charCodeAt(42) + 1);
    const cut = signature.slice(0, -1);
    for (const wrong of ["", cut, `${cut}${last}`, `${signature}A`, `${signature}=`, ` ${signature}`, ` ${cut}`]) {
      expect(await signer.verify("a", wrong), wrong).toBe(false);
    }
    expect(await signer.verify("a", "!".repeat(43))).toBe(false);
  });

  it("makes keys that nobody can read the secrets from", async () => {
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    onTestFinished(() => importKey.mockRestore());
    await new TextSigner([secret, other]).sign("a");
    const keys = await Promise.all(importKey.mock.results.map(({ value }) => value as Promise<CryptoKey>));
    expect(keys.map(({ extractable }) => extractable)).toEqual([false, false]);
  });

  it("signs by the first secret and verifies by all", async () => {
    const signer = new TextSigner([secret, other]);
    expect(await signer.verify("a", await new TextSigner([other]).sign("a"))).toBe(true);
    expect(await signer.sign("a")).toBe(await new TextSigner([secret]).sign("a"));
  });
});

describe("isSecret()", () => {
  it("RFC 2104 §3 asks for as many bytes as the hash has", () => {
    expect([secret, "é".repeat(16)].every(isSecret)).toBe(true);
    expect(["", "s".repeat(31), undefined, new Uint8Array(32)].some(isSecret)).toBe(false);
  });
});
