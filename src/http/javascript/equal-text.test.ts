import { describe, expect, it } from "vitest";
import { isEqualText } from "./equal-text.ts";

describe("isEqualText()", () => {
  it("compares text by text", () => {
    for (const [one, other, expected] of [
      ["", "", true],
      ["abc", "abc", true],
      ["abc", "abd", false],
      ["abc", "Abc", false],
      ["abc", "ab", false],
      ["ab", "abc", false],
      ["a\0", "a", false],
      ["a", "a\0", false],
    ] as const)
      expect(isEqualText(one, other)).toBe(expected);
  });
});
