import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "../../src/routing/path-index-builder.ts";
import { parsePathPattern } from "../../src/routing/path-pattern.ts";
import { answerOf, indexOf } from "../answers.ts";
import { isSamePaths } from "../oracle-precedence.ts";
import { oracleOf } from "../oracle.ts";
import { choices, fewPatterns, pathFor, tables, trailingSlashes, withoutRivals } from "./generated-patterns.ts";
import { anyPatterns } from "./generated-targets.ts";
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
          expect(answerOf(index.match(path, false)), path).toStrictEqual(oracle(path));
        }
      }),
    );
  });

  it("reads whatever pattern it accepts as the oracle does", { timeout }, async () => {
    const paths = fc.array(fc.constantFrom("/", "/", "a", "b", "1", "-", ".", "%", "2F", "é", ":", "("), {
      maxLength: 9,
    });
    await holds(
      fc.property(anyPatterns, paths, trailingSlashes, (source, pieces, trailingSlash) => {
        fc.pre(isAccepted(source));
        const path = `/${pieces.join("")}`;
        const answer = answerOf(indexOf([source], trailingSlash).match(path, false));
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
        const answers = all.map(({ source }) => answerOf(indexOf([source], trailingSlash).match(path, false)));
        const isFound = typeof answerOf(builder.build().match(path, false)) === "object";
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
            const rival = builder.add(parsePathPattern(other), null);
            expect(rival !== null, `${one} ${other}`).toBe(isSamePaths(one, other, trailingSlash));
          }
        }
      }),
    );
  });
});

function isAccepted(source: string): boolean {
  try {
    indexOf([source]);
    return true;
  } catch {
    return false;
  }
}
