import { describe, expect, it } from "vitest";
import { byteLengthOf } from "./byte-length.ts";

const texts = ["", "tea", "Köln", "茶", "🫖", "half \ud83e", "\udd56 half", "e\u0301", "\0"];

describe("byteLengthOf()", () => {
  it("counts as an encoder does, with a Buffer and without", () => {
    for (const text of texts) {
      const { byteLength } = new TextEncoder().encode(text);
      expect([byteLengthOf(text), byteLengthOf(text, {})]).toEqual([byteLength, byteLength]);
    }
  });

  it("ignores a Buffer of all objects", () => {
    const all = Object.prototype as { Buffer?: unknown };
    all.Buffer = { byteLength: () => 1 };
    try {
      expect(byteLengthOf("tea", {})).toBe(3);
    } finally {
      delete all.Buffer;
    }
  });
});
