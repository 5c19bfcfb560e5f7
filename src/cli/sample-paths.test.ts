import { describe, expect, it } from "vitest";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
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
    "//",
    "/k//",
    "/:a//",
    "/(\\d+)//",
    "/(a/)/",
  ])("finds paths for %s", (source) => {
    const pattern = parsePathPattern(source);
    const paths = samplePathsOf(pattern);
    if (source === "/(^/a)") return expect(paths).toEqual([]);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(matches(pattern, path, "ignore")).toBe(true);
  });

  it("finds each path once, with as many segments as a rest may have", () => {
    expect(samplePathsOf(parsePathPattern("/(a/?)/"), "strict")).toEqual(["/a/"]);
    const lengths = samplePathsOf(parsePathPattern("/:path+")).map((path) => path.split("/").length - 1);
    expect(new Set(lengths)).toEqual(new Set([1, 2, 3]));
  });

  it("finds the same paths each time", () => {
    const pattern = parsePathPattern("/:a(\\w+)/:b?");
    expect(samplePathsOf(pattern)).toEqual(samplePathsOf(pattern));
  });
});

describe("ExpressionSampler.sample()", () => {
  it("takes the least if random returns 0, and leaves out assertions", () => {
    expect(new ExpressionSampler("a{2}b*[c-d](?=x)(?:e|f)+\\d?$").sample(() => 0)).toBe("aacde".replace("cd", "c"));
  });

  it("takes the most if random returns its limit", () => {
    expect(new ExpressionSampler("a{2,3}(?:e|f)").sample((below) => below - 1)).toBe("aaaf");
    expect(new ExpressionSampler("a{2,}b+c*d?").sample((below) => below - 1)).toBe("aaaaabbbbcccd");
  });

  it("reads a class up to the bracket that ends it", () => {
    expect(new ExpressionSampler("[\\]b]c").sample(() => 0)).toBe("bc");
    expect(new ExpressionSampler("[^\\W\\d]").sample(() => 0)).toBe("a");
  });
});
