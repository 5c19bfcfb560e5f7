import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
import { PathMatch } from "../../src/routing/index/path-match.ts";
import { PathPatternError, parsePathPattern, type PathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { runs } from "./runs.ts";

/** Text that is made of what means something in a pattern: most of it is refused, and some of it is odd. */
const anyPattern = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          ..."/ // : :a :b :c ( ) (a) (\\d+) (.*) [ ] ? * + . - \\ | { } $ ^ a b 7 % %2F %61 é".split(" "),
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => `/${parts.join("")}`);

const anyTarget = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(..."/ a b 7 a7 -b . .. %61 %2F %2e % %zz ? # : @ ; é \\ // http://h".split(" ")),
      },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));

function parsed(source: string): PathPattern | null {
  try {
    return parsePathPattern(source, "Fuzzed");
  } catch (error) {
    if (!(error instanceof PathPatternError)) throw error;
    expect(error.message.length).toBeLessThan(600);
    expect(error.message.split("\n")).toHaveLength(3);
    expect(error.index).toBeLessThanOrEqual(source.length);
    return null;
  }
}

/** An index of these patterns, without those that equal others or whose expressions do not compile together. */
function indexOf(patterns: readonly PathPattern[]) {
  let built = new PathIndexBuilder<PathPattern>();
  const added: PathPattern[] = [];
  for (const pattern of patterns) {
    // One that equals another in a part of what it matches is in the index already, by its other part.
    const all = builderOf([...added, pattern]);
    if (all === null) continue;
    built = all;
    added.push(pattern);
  }
  return { index: built.build(), added };
}

/** A builder of an index with these patterns; null where `build()` of an application would refuse them. */
function builderOf(patterns: readonly PathPattern[]): PathIndexBuilder<PathPattern> | null {
  const builder = new PathIndexBuilder<PathPattern>();
  try {
    return patterns.every((pattern) => builder.add(pattern, pattern).length === 0) ? builder : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

describe("any text as pattern", () => {
  it("is parsed, or refused by a PathPatternError of three lines", () => {
    fc.assert(
      fc.property(anyPattern, (source) => {
        const pattern = parsed(source);
        if (pattern === null) return;
        expect(pattern.source).toBe(source);
        expect(new Set(pattern.names).size).toBe(pattern.names.length);
      }),
      runs(1000),
    );
  });

  it("with any text as target gives a match or a problem, and params that are text", () => {
    fc.assert(
      fc.property(fc.array(anyPattern, { maxLength: 8 }), fc.array(anyTarget, { maxLength: 8 }), (sources, targets) => {
        const { index, added } = indexOf(sources.map(parsed).filter((pattern) => pattern !== null));
        for (const target of targets) {
          const found = index.match(target, -1);
          if (!(found instanceof PathMatch)) {
            expect(["unmatched", "absent", "unparseable", "too long"]).toContain(found.problem);
            continue;
          }
          expect(added).toContain(found.value);
          for (const name of found.value.names) {
            try {
              expect(["string", "undefined"]).toContain(typeof found.param(name));
            } catch (error) {
              expect(error).toBeInstanceOf(URIError);
            }
          }
        }
      }),
      runs(500),
    );
  });

  it("is found by a table whenever it is found alone, or something before it is", () => {
    fc.assert(
      fc.property(fc.array(anyPattern, { maxLength: 6 }), fc.array(anyTarget, { maxLength: 6 }), (sources, targets) => {
        const { index, added } = indexOf(sources.map(parsed).filter((pattern) => pattern !== null));
        const alone = added.map((pattern) => indexOf([pattern]).index);
        for (const target of targets) {
          const isFound = index.match(target, -1) instanceof PathMatch;
          expect(isFound, target).toBe(alone.some((one) => one.match(target, -1) instanceof PathMatch));
        }
      }),
      runs(400),
    );
  });
});
