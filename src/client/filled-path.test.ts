import { describe, expect, it } from "vitest";
import { filledPath } from "./filled-path.ts";

describe("filledPath()", () => {
  it.each([
    ["/a/(b|(c(d)))", "/a/v/w"],
    ["/a/([(])/:x", "/a/v/w/1"],
    ["/a/([^)(]+)b", "/a/v/wb"],
    ["/a/(\\(|\\))", "/a/v/w"],
    ["/a\\(/:x(\\d+)\\)", "/a(/1)"],
    ["/a\\\\(x)", "/a%5Cv/w"],
    ["/[(x)]", "/[v/w]"],
    ["/:x((?:a|[(]b(?:c))+)/(d(e)[)]f)", "/1/v/w"],
    ["/:x(\\d+)?/:y([)(])", "/1/2"],
    ["/:x(\\d+)*", "/1"],
  ])("C4.3 finds where the expressions of %s end", (pattern, filled) => {
    expect(filledPath(pattern, { 0: "v/w", x: 1, y: 2 })).toBe(filled);
  });

  it("C4.3 keeps a slash inside a segment of a list", () => {
    expect(filledPath("/files/:path+", { path: ["a/b", "c"] })).toBe("/files/a%2Fb/c");
  });
});
