import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newDigest, type DigestHost } from "./upload-digest.ts";

const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/** As workerd has it. */
class DigestStream extends WritableStream<Uint8Array> {
  readonly digest: Promise<ArrayBuffer>;

  constructor(algorithm: string) {
    const hash = createHash(algorithm.replace("-", "").toLowerCase());
    let resolve!: (digest: ArrayBuffer) => void;
    const digest = new Promise<ArrayBuffer>((done) => (resolve = done));
    super({
      write: (bytes) => void hash.update(bytes),
      close: () => resolve(Uint8Array.from(hash.digest()).buffer),
    });
    this.digest = digest;
  }
}

describe("newDigest()", () => {
  it.each<[string, DigestHost | undefined]>([
    ["node:crypto", undefined],
    ["a DigestStream", { crypto: { DigestStream } }],
  ])("digests by %s what comes in pieces", async (_, host) => {
    const digest = newDigest(host);
    await digest.add(Uint8Array.of(97));
    await digest.add(Uint8Array.of(98, 99));
    expect(await digest.end()).toBe(abc);
  });

  it("refuses a runtime without either", () => {
    expect(() => newDigest({})).toThrow(
      "Cannot store a file: this runtime has neither node:crypto nor crypto.DigestStream",
    );
  });
});
