import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { answerOf, indexOf, matchSerialized } from "../support/answers.ts";
import { isSamePaths } from "../support/oracle-precedence.ts";
import { oracleOf } from "../support/oracle.ts";
import { choices, fewPatterns, pathFor, tables, trailingSlashes, withoutRivals } from "./generated-patterns.ts";
import { anyPatterns } from "./generated-targets.ts";
import { urlOf } from "./agreement.ts";
import { holds, timeout } from "./runs.ts";

describe("PathIndex", () => {
  it("finds what trying every pattern finds", { timeout }, async () => {
    const some = fc.array(choices, { minLength: 2, maxLength: 2 });
    await holds(
      fc.property(tables, some, trailingSlashes, (table, paths, trailingSlash) => {
        const kept = withoutRivals(table, trailingSlash);
        const sources = kept.map(({ source }) => source);
        const index = indexOf(sources, trailingSlash);
        const oracle = oracleOf(sources, trailingSlash);
        for (const choice of paths) {
          const path = pathFor(kept, choice);
          expect(answerOf(index.match(path, -1)), path).toStrictEqual(oracle(path));
        }
      }),
    );
  });

  it(
    "finds the same in the URL that the parser writes, with dot segments that some parsers leave",
    { timeout },
    async () => {
      await holds(
        fc.property(tables, choices, fc.nat(9), trailingSlashes, (table, choice, at, trailingSlash) => {
          const kept = withoutRivals(table, trailingSlash);
          const sources = kept.map(({ source }) => source);
          const index = indexOf(sources, trailingSlash);
          const path = pathFor(kept, choice);
          const expected = oracleOf(sources, trailingSlash)(path);
          expect(answerOf(matchSerialized(index, urlOf(path))), path).toStrictEqual(expected);
          const slashes = [...path.matchAll(/\//g)];
          const { index: slash } = slashes[at % slashes.length]!;
          const dotted = `${path.slice(0, slash)}/.x/..${path.slice(slash)}`;
          expect(answerOf(matchSerialized(index, urlOf(dotted))), dotted).toStrictEqual(expected);
        }),
      );
    },
  );

  it("reads whatever pattern it accepts as the oracle does", { timeout }, async () => {
    const paths = fc.array(fc.constantFrom("/", "/", "a", "b", "1", "-", ".", "%", "2F", "é", ":", "("), {
      maxLength: 9,
    });
    await holds(
      fc.property(anyPatterns, paths, trailingSlashes, (source, pieces, trailingSlash) => {
        fc.pre(isAccepted(source));
        const path = `/${pieces.join("")}`;
        const answer = answerOf(indexOf([source], trailingSlash).match(path, -1));
        expect(answer, path).toStrictEqual(oracleOf([source], trailingSlash)(path));
      }),
    );
  });
});

describe("PathIndexBuilder.add()", () => {
  it("loses nothing of a pattern that has a rival", { timeout }, async () => {
    await holds(
      fc.property(fewPatterns, fewPatterns, choices, trailingSlashes, (table, others, choice, trailingSlash) => {
        const builder = new PathIndexBuilder<null>(trailingSlash);
        const all = [...table, ...others];
        for (const { source } of all) builder.add(parsePathPattern(source), null);
        const path = pathFor(all, choice);
        const answers = all.map(({ source }) => answerOf(indexOf([source], trailingSlash).match(path, -1)));
        const isFound = typeof answerOf(builder.build().match(path, -1)) === "object";
        expect(isFound, path).toBe(answers.some((answer) => typeof answer === "object"));
      }),
    );
  });

  it("takes for rivals what the oracle takes for them, in either order", { timeout }, async () => {
    await holds(
      fc.property(fewPatterns, trailingSlashes, (table, trailingSlash) => {
        for (const { source: one } of table) {
          for (const { source: other } of table) {
            const builder = new PathIndexBuilder<null>(trailingSlash);
            builder.add(parsePathPattern(one), null);
            const rivals = builder.add(parsePathPattern(other), null);
            expect(rivals.length > 0, `${one} ${other}`).toBe(isSamePaths(one, other, trailingSlash));
          }
        }
      }),
    );
  });

  it("finds the rivals that patterns of one list have in another, whatever rivals they have in their own", async () => {
    await holds(
      fc.property(kin, kin, trailingSlashes, (list, others, trailingSlash) => {
        const isExpected = list.some((one) => others.some((other) => isSamePaths(one, other, trailingSlash)));
        for (const order of [
          [list, others],
          [others, list],
        ]) {
          const builder = new PathIndexBuilder<object>(trailingSlash);
          const rivals = order.flatMap((own) => {
            return own.flatMap((source) =>
              builder.add(parsePathPattern(source), own).filter(({ value }) => value !== own),
            );
          });
          expect(rivals.length > 0, JSON.stringify(order)).toBe(isExpected);
        }
      }),
    );
  });
});

/** Patterns of which most have a form in common with others. */
const kin: fc.Arbitrary<string[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom("/a", "/:p", "/(x)", "/:p(x)"),
      fc.constantFrom(
        "",
        "/",
        "/:x",
        "/:y?",
        "/:x/:y",
        "/:x/:y?",
        "/:x?/:y?",
        "/:x/:y?/:z?",
        "/*",
        "/:x+",
        "/:x/*",
        "/b?",
      ),
    )
    .map(([beginning, end]) => beginning + end.replace("/b?", "/:b?/")),
  { minLength: 1, maxLength: 4 },
);

function isAccepted(source: string): boolean {
  try {
    indexOf([source]);
    return true;
  } catch {
    return false;
  }
}
