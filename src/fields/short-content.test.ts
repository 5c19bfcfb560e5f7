import { describe, expect, it } from "vitest";
import { lightBytes } from "../http/message/light-request.ts";
import { shortContentOf } from "./carried-content.ts";

function carrying(length: string, read: (maxBytes: number) => Promise<Uint8Array | null> | null): object {
  return { headers: new Headers({ "content-length": length }), [lightBytes]: read };
}

describe("shortContentOf()", () => {
  it("returns a reader of all bytes, which are nobody else's", async () => {
    const own = Uint8Array.of(1, 2, 3);
    const reader = (await shortContentOf(
      carrying("3", async () => own),
      10,
    ))!;
    const { done, value } = await reader.read();
    expect([done, value]).toEqual([false, own]);
    expect((value as Uint8Array).buffer).not.toBe(own.buffer);
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    await reader.cancel();
  });

  it("is null where the host has no bytes without a stream, and for long content", () => {
    expect(shortContentOf({ headers: new Headers({ "content-length": "3" }) }, 10)).toBeNull();
    const none = () => null;
    for (const length of ["0", "11", "x", ""]) expect(shortContentOf(carrying(length, none), 10)).toBeNull();
    expect(shortContentOf(carrying("10", none), 10)).toBeNull();
  });

  it("is 413 for more than it has said, and 400 where it breaks off", async () => {
    const more = shortContentOf(
      carrying("3", async () => null),
      10,
    );
    await expect(more).rejects.toMatchObject({ status: 413, message: "The content is longer than 10 bytes" });
    const broken = shortContentOf(
      carrying("3", () => Promise.reject(new Error("gone"))),
      10,
    );
    await expect(broken).rejects.toMatchObject({ status: 400, message: "The content broke off" });
  });
});
