import { describe, expect, it } from "vitest";
import { parsePathPattern } from "../routing/path-pattern.ts";
import { ExpressionSampler } from "./expression-sample.ts";
import { matches } from "./lone-pattern.ts";
import { samplePathsOf } from "./sample-paths.ts";

describe("samplePathsOf()", () => {
  it.each([
    "/",
    "/a/b",
    "/:id",
    "/a/:b?/:c?",
    "/:file.:ext",
    "/files/*",
    "/:path+",
    "/n/:id(\\d+)",
    "/n/:id(\\d{4}-\\d\\d-\\d{2,})",
    "/isbn/:isbn(97[89]\\d{10})",
    "/u/:id([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
    "/(a|b|cd)/x",
    "/(.+\\.txt)",
    "/((?!admin)[a-z]+)",
    "/((?<year>\\d{4})/(?<=/)(?:x|y)?z*)",
    "/:x([^/.]+\\.[\\w\\-]{1,3})",
    "/([0-9]$)",
    "/(^/a)?".replace("?", ""),
    "/caf\u00e9/:x(\\u0061\\x62)",
  ])("finds paths for %s", (source) => {
    const pattern = parsePathPattern(source);
    const paths = samplePathsOf(pattern);
    if (source === "/(^/a)") return expect(paths).toEqual([]);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(matches(pattern, path, "ignore")).toBe(true);
  });

  it("finds the same paths each time", () => {
    const pattern = parsePathPattern("/:a(\\w+)/:b?");
    expect(samplePathsOf(pattern)).toEqual(samplePathsOf(pattern));
  });
});

describe("ExpressionSampler.sample()", () => {
  it("takes the least where random gives 0, and leaves out what only looks around", () => {
    expect(new ExpressionSampler("a{2}b*[c-d](?=x)(?:e|f)+\\d?$").sample(() => 0)).toBe("aacde".replace("cd", "c"));
  });

  it("takes the most where random gives its limit", () => {
    expect(new ExpressionSampler("a{2,3}(?:e|f)").sample((below) => below - 1)).toBe("aaaf");
  });
});
