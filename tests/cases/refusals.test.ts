import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
import { PathPatternError, parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { chains, thrownBy } from "../support/chains.ts";
import { isSamePaths } from "../support/oracle-precedence.ts";
import { conflicts } from "./conflicts.ts";
import { refusals } from "./refusals.ts";

describe("parsePathPattern()", () => {
  it.each(refusals)("C4.4 refuses $pattern: $reason", ({ pattern, column, reason }) => {
    const error = thrownBy(() => parsePathPattern(pattern, "Users"));
    expect(error).toBeInstanceOf(PathPatternError);
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).toMatchObject({ name: "PathPatternError", index: column });
    const [message, shown, caret] = error.message.split("\n");
    expect(message).toContain(`Cannot parse path pattern of Users: ${reason}`);
    // An empty pattern has no place to show.
    const isShown = pattern !== "";
    expect(shown).toBe(isShown ? `  ${pattern}` : undefined);
    expect(caret).toBe(isShown ? `  ${" ".repeat(column)}^` : undefined);
  });
});

describe("PathIndexBuilder.add()", () => {
  it.each(conflicts)("C4.6 $because: $patterns", ({ patterns, isRefused, trailingSlash }) => {
    for (const [one, other] of [patterns, patterns.toReversed()] as [string, string][]) {
      const builder = new PathIndexBuilder<string>(trailingSlash);
      expect(builder.add(parsePathPattern(one), "one")).toEqual([]);
      const rivals = builder.add(parsePathPattern(other), "other").map(({ source }) => source);
      expect([...new Set(rivals)]).toEqual(isRefused ? [one] : []);
      expect(isSamePaths(one, other, trailingSlash), "the oracle").toBe(isRefused);
    }
  });
});

describe.each(chains)("$name", ({ Application, Resource }) => {
  const build = (trailingSlash: "ignore" | "strict", ...paths: readonly unknown[][]): unknown =>
    Application.builder()
      .trailingSlash(trailingSlash)
      .resources(
        paths.map(
          (some, index) =>
            ({
              [`R${index}`]: class extends Resource {
                override paths = some as string[];
              },
            })[`R${index}`]!,
        ),
      )
      .build();

  it.each(refusals)("C4.4 build() refuses $pattern: $reason", ({ pattern, reason }) => {
    const error = thrownBy(() => build("ignore", ["/", pattern]));
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error.message).toContain(`of R0: ${reason}`);
  });

  it.each(conflicts)("C4.6 $because: $patterns", ({ patterns, isRefused, trailingSlash }) => {
    for (const [one, other] of [patterns, patterns.toReversed()] as [string, string][]) {
      if (!isRefused) {
        expect(() => build(trailingSlash, [one], [other])).not.toThrow();
        continue;
      }
      const error = thrownBy(() => build(trailingSlash, [one], [other]));
      expect(error).toBeInstanceOf(TypeError);
      for (const part of ["R0", "R1", JSON.stringify(one), JSON.stringify(other)])
        expect(error.message).toContain(part);
    }
  });

  it.each([
    [["/books/:id/:section"], ["/books/:id", "/books/:id/:page?"]],
    [["/(x)"], ["/(x)/:a", "/(x)/:b?"]],
    [["/a/:b/:c"], ["/a", "/a/:x", "/a/:x?/:y?"]],
  ])("C4.6 a pattern that another one of its resource has a form of is no cover: %j and %j", (one, other) => {
    for (const [first, second] of [
      [one, other],
      [one, other.toReversed()],
      [other, one],
    ] as const) {
      expect(thrownBy(() => build("ignore", first, second)).message).toMatch(/ match the same paths$/);
    }
  });

  it.each(conflicts)("C4.6 inside one resource it is harmless: $patterns", ({ patterns, trailingSlash }) => {
    expect(() => build(trailingSlash, [...patterns])).not.toThrow();
  });
});
