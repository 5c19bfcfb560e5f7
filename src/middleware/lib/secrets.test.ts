import { describe, expect, it, onTestFinished, vi } from "vitest";
import { digesterOf, Secrets } from "./secrets.ts";

const texts = ["first", "second", "third"];

/** How many digests a search compares with, and how many bytes it reads of each. */
async function bytesRead(secrets: Secrets<string>, secret: string): Promise<number[]> {
  const typedArrays = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const read: number[] = [];
  const { entries } = typedArrays;
  const spy = vi.spyOn(typedArrays, "entries").mockImplementation(function* (this: Uint8Array) {
    const index = read.push(0) - 1;
    for (const entry of entries.call(this)) {
      read[index]!++;
      yield entry;
    }
  } as never);
  onTestFinished(() => spy.mockRestore());
  await secrets.find(secret);
  spy.mockRestore();
  return read;
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
    for (const text of [...texts, "none of them"]) expect(await bytesRead(secrets, text), text).toEqual([32, 32, 32]);
  });

  it("compares digests, which are of one length", async () => {
    const secrets = new Secrets([["x".repeat(1000), 1]], digesterOf({}));
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
    const bytes = new Uint8Array(32);
    const getBuiltinModule = (): unknown => ({
      createHash: () => ({ update: (text: string) => ({ digest: () => bytes.with(0, text.length) }) }),
    });
    const atOnce = new Secrets([["first", 1]], digesterOf({ process: { getBuiltinModule } }));
    expect(atOnce.find("first")).toEqual(expect.objectContaining({ value: 1 }));
    expect(atOnce.find("none")).toBeNull();
    for (const globals of [{}, { process: {} }, { process: { getBuiltinModule: () => undefined } }]) {
      const later = new Secrets([["first", 1]], digesterOf(globals));
      expect(later.find("first")).toBeInstanceOf(Promise);
      expect(await later.find("first")).toEqual(expect.objectContaining({ value: 1 }));
      expect(await later.find("none")).toBeNull();
    }
  });

  it("makes the same digests either way", async () => {
    for (const text of ["", "a token", "\u{1f600} \ud800"]) {
      const atOnce = await digesterOf(globalThis)(text);
      expect([...atOnce], text).toEqual([...(await digesterOf({})(text))]);
    }
  });
});
