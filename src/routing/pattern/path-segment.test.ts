import { describe, expect, it } from "vitest";
import { parsePathPattern } from "./path-pattern.ts";
import { isOpenEnded, type PathSegment } from "./path-segment.ts";

const segmentOf = (source: string): PathSegment => parsePathPattern(source).segments.at(-1)!;

describe("isOpenEnded()", () => {
  it("is true of a rest, and of what ends in an expression without a name", () => {
    expect(["/*", "/:a+", "/(a)", "/:a-(b)"].map((source) => isOpenEnded(segmentOf(source)))).not.toContain(false);
    expect(
      ["/a", "/:a", "/:a(b)", "/(a)b", "/(a)-:b(c)"].map((source) => isOpenEnded(segmentOf(source))),
    ).not.toContain(true);
  });
});
