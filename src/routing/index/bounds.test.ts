import { expect, it } from "vitest";
import { boundsOf, endOf, longestText, startOf } from "./bounds.ts";

it("packs bounds up to the longest text, as a small integer of any engine", () => {
  for (const [from, to] of [
    [0, 0],
    [0, 1],
    [7, 12],
    [8191, 8192],
    [0, longestText],
    [longestText, longestText],
  ] as const) {
    const bounds = boundsOf(from, to);
    expect([startOf(bounds), endOf(bounds)]).toEqual([from, to]);
    expect(bounds).toBeLessThan(2 ** 30);
  }
});
