import * as nodeCrypto from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { digestBy } from "../../http/javascript/digest.ts";
import { Secrets } from "./secrets.ts";

const texts = ["first", "second", "third"];

/** How many characters a search reads of the digests that it compares. */
async function charactersRead(secrets: Secrets<string>, secret: string): Promise<number> {
  const spy = vi.spyOn(String.prototype, "charCodeAt");
  onTestFinished(() => spy.mockRestore());
  await secrets.find(secret);
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

describe("Secrets", () => {
  it("finds what belongs to a secret, and nothing for others", async () => {
    const secrets = new Secrets(texts.map((text) => [text, text.toUpperCase()] as const));
    for (const text of texts) expect((await secrets.find(text))?.value).toBe(text.toUpperCase());
    for (const text of ["", "firs", "first ", "fourth"]) expect(await secrets.find(text)).toBeNull();
    expect(await new Secrets([]).find("first")).toBeNull();
  });

  it("compares with all of them, each to its end, whichever it is", async () => {
    const secrets = new Secrets(texts.map((text) => [text, text] as const));
    // Two digests of each secret are read to their ends.
    for (const text of [...texts, "none of them"]) expect(await charactersRead(secrets, text), text).toBe(3 * 2 * 64);
  });

  it("compares digests, which are of one length", async () => {
    const secrets = new Secrets([["x".repeat(1000), 1]], digestBy({}));
    await secrets.find("");
    const digest = vi.spyOn(crypto.subtle, "digest");
    onTestFinished(() => digest.mockRestore());
    for (const text of ["", "x", "x".repeat(1000)]) {
      await secrets.find(text);
      expect((await (digest.mock.results.at(-1)!.value as Promise<ArrayBuffer>)).byteLength).toBe(32);
    }
    // The digest of the secret is not computed again.
    expect(digest).toHaveBeenCalledTimes(3);
  });

  it("finds at once where the runtime makes digests at once, and later where it does not", async () => {
    const digest = (text: string): string => String.fromCharCode(text.length).repeat(32);
    const createHash = (): unknown => ({ update: (text: string) => ({ digest: () => digest(text) }) });
    const hash = (_: string, text: string): string => digest(text);
    for (const module of [{ createHash }, { createHash, hash }]) {
      const atOnce = new Secrets([["first", 1]], digestBy({ process: { getBuiltinModule: () => module } }));
      expect(atOnce.find("first")).toEqual(expect.objectContaining({ value: 1 }));
      expect(atOnce.find("none")).toBeNull();
    }
    for (const globals of [{}, { process: {} }, { process: { getBuiltinModule: () => undefined } }]) {
      const later = new Secrets([["first", 1]], digestBy(globals));
      expect(later.find("first")).toBeInstanceOf(Promise);
      expect(await later.find("first")).toEqual(expect.objectContaining({ value: 1 }));
      expect(await later.find("none")).toBeNull();
    }
  });

  it("makes the same digests either way", async () => {
    for (const text of ["", "a token", "\u{1f600} \ud800"]) {
      const atOnce = await digestBy(globalThis)(text);
      expect(atOnce, text).toBe(await digestBy({})(text));
      expect(nodeCrypto.createHash("sha256").update(text).digest().toString("hex"), text).toBe(atOnce);
    }
  });
});
