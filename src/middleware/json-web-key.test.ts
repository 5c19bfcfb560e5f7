import { describe, expect, it } from "vitest";
import { secretBytesOf } from "./json-web-key.ts";

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
