import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Secrets } from "./secrets.ts";

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
    const secrets = new Secrets([["x".repeat(1000), 1]]);
    await secrets.find("");
    const digest = vi.spyOn(crypto.subtle, "digest");
    onTestFinished(() => digest.mockRestore());
    for (const text of ["", "x", "x".repeat(1000)]) {
      await secrets.find(text);
      expect((await (digest.mock.results.at(-1)!.value as Promise<ArrayBuffer>)).byteLength).toBe(32);
    }
    // That of the secret is not made again.
    expect(digest).toHaveBeenCalledTimes(3);
  });
});
