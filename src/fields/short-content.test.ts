import { describe, expect, it } from "vitest";
import { lightBytes, lightChunks } from "../http/message/light-request.ts";
import { contentReaderOf } from "./carried-content.ts";

function carrying(length: string, read: (maxBytes: number) => Promise<Uint8Array | null> | null): object {
  const later = { read: async () => ({ done: true }), take: () => undefined, cancel: async () => {} };
  return { headers: new Headers({ "content-length": length }), [lightBytes]: read, [lightChunks]: () => later };
}

describe("contentReaderOf(), of short content", () => {
  it("returns a reader of all bytes, which are nobody else's", async () => {
    const own = Uint8Array.of(1, 2, 3);
    const reader = contentReaderOf(
      carrying("3", async () => own),
      10,
    )!;
    const { done, value } = await reader.read();
    expect([done, value]).toEqual([false, own]);
    expect((value as Uint8Array).buffer).not.toBe(own.buffer);
    expect(await reader.read()).toEqual({ done: true });
    await reader.cancel();
  });

  it("reads in parts where the host has no bytes at once, and what is long or has no length", async () => {
    const asked: string[] = [];
    for (const length of ["0", "65537", "x", "", "10"]) {
      const input = carrying(length, () => {
        asked.push(length);
        return null;
      });
      expect(await contentReaderOf(input, 100_000)!.read()).toEqual({ done: true });
    }
    expect(asked).toEqual(["10"]);
  });

  it("is 413 for more than it has said, and 400 where it breaks off", async () => {
    const more = contentReaderOf(
      carrying("3", async () => null),
      10,
    )!;
    await expect(more.read()).rejects.toMatchObject({ status: 413, message: "The content is longer than 3 bytes" });
    const broken = contentReaderOf(
      carrying("3", () => Promise.reject(new Error("gone"))),
      10,
    )!;
    await expect(broken.read()).rejects.toMatchObject({ status: 400, message: "The content ended early" });
  });
});
