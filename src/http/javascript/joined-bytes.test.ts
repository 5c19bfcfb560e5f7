import { describe, expect, it } from "vitest";
import { JoinedBytes } from "./joined-bytes.ts";

describe("JoinedBytes", () => {
  it("returns what was added, in order", () => {
    const joined = new JoinedBytes(10);
    expect([joined.length, [...joined.bytes]]).toEqual([0, []]);
    for (const chunk of [[1, 2], [], [3], [4, 5, 6, 7]]) joined.add(Uint8Array.from(chunk));
    joined.add(new Uint8Array([0, 8, 9, 0]).subarray(1, 3));
    expect([joined.length, [...joined.bytes]]).toEqual([9, [1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it("takes for one chunk what is in it", () => {
    const joined = new JoinedBytes(1_000_000);
    joined.add(new Uint8Array(700));
    expect(joined.bytes.buffer.byteLength).toBe(700);
  });

  it("takes no more than twice what has come, nor more than the most that will", () => {
    const joined = new JoinedBytes(1000);
    const lengths = new Set<number>();
    for (let length = 1; length <= 1000; length++) {
      joined.add(new Uint8Array(1));
      expect(joined.bytes.buffer.byteLength).toBeLessThan(2 * length);
      lengths.add(joined.bytes.buffer.byteLength);
    }
    expect(joined.bytes.buffer.byteLength).toBe(1000);
    // Each is another buffer, into which what was there is copied.
    expect(lengths.size).toBe(11);
  });
});
