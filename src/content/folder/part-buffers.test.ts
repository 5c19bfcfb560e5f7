import { describe, expect, it } from "vitest";
import { bufferFor, partBytes, takeBack } from "./part-buffers.ts";

describe("takeBack()", () => {
  it("keeps 16 parts, and lets others go", () => {
    const given = Array.from({ length: 20 }, () => bufferFor(partBytes));
    for (const buffer of given) takeBack(buffer);
    const again = new Set(Array.from({ length: 20 }, () => bufferFor(partBytes).buffer));
    expect(given.filter(({ buffer }) => again.has(buffer))).toHaveLength(16);
    // Buffers of another length are nobody's.
    takeBack(Buffer.alloc(7));
  });
});
