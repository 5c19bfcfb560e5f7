import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TrailingSlash } from "../../src/routing/build/path-index-builder.ts";
import { answerOf, indexOf } from "../support/answers.ts";
import { isSamePaths } from "../support/oracle-precedence.ts";
import { choices, pathFor, tables, trailingSlashes, withoutRivals } from "./generated-patterns.ts";
import { holds, timeout } from "./runs.ts";

describe("PathIndex", () => {
  it("does not depend on the order of registration, but for that of expressions", { timeout }, async () => {
    const some = fc.array(choices, { minLength: 2, maxLength: 2 });
    const order = fc.array(fc.nat(), { minLength: 40, maxLength: 40 });
    await holds(
      fc.property(tables, some, order, trailingSlashes, (table, paths, keys, trailingSlash) => {
        const kept = withoutRivals(table, trailingSlash);
        const sources = kept.map(({ source }) => source);
        const index = indexOf(sources, trailingSlash);
        const shuffled = indexOf(shuffle(sources, keys), trailingSlash);
        for (const choice of paths) {
          const path = pathFor(kept, choice);
          expect(answerOf(shuffled.match(path, -1)), path).toStrictEqual(answerOf(index.match(path, -1)));
        }
      }),
    );
  });

  it(
    "does not depend on patterns that the path does not match, but for the order of expressions",
    { timeout },
    async () => {
      await holds(
        fc.property(tables, choices, trailingSlashes, (table, choice, trailingSlash) => {
          const kept = withoutRivals(table, trailingSlash);
          const sources = kept.map(({ source }) => source);
          const path = pathFor(kept, choice);
          const answer = answerOf(indexOf(sources, trailingSlash).match(path, -1));
          const others = sources.filter((source) => source.includes("(") || isMatch(source, path, trailingSlash));
          expect(answerOf(indexOf(others, trailingSlash).match(path, -1)), path).toStrictEqual(answer);
        }),
      );
    },
  );
});

describe("precedence", () => {
  const firsts = ["a", "v:x", ":x(a)", "(a)", "([^x]+)", ":x", "(.+)", "(.*)"];
  const seconds = ["a", "v:y", ":y(a)", ":y(a)?", "(a)", ":y", ":y?", ":y+", ":y*", "(.+)", "(.*)"];
  const behindRest = seconds.filter((second) => !/^:y[+*]/.test(second));
  const patterns = firsts
    .flatMap((first) => [first, ...seconds.map((second) => `${first}/${second}`)])
    .concat(":x+", ":x*", ":x?", ...behindRest.map((second) => `:x+/${second}`), ":x+/a/:y", ":x+/va/:y+")
    .map((source) => `/${source}`);

  it.each(["/a", "/a/", "/a/a", "/va", "/va/", "/va/a", "/a/va"])("has no circle of three on %s", (path) => {
    const matching = patterns.filter((source) => isMatch(source, path, "ignore"));
    // What only registration decides is decided alike throughout: always the earlier one is registered first.
    const wins = matching.map((one, at) =>
      matching.map((other, index) => winnerOf(at < index ? [one, other] : [other, one], path) === one),
    );
    const circles = matching.flatMap((_, one) =>
      matching.flatMap((__, two) =>
        matching
          .filter((___, three) => wins[one]![two] && wins[two]![three] && wins[three]![one])
          .map((three) => [matching[one], matching[two], three].join(" over ")),
      ),
    );
    expect(circles).toStrictEqual([]);
    expect(wins.flat().filter(Boolean).length).toBeGreaterThan(50);
  });
});

/** The pattern that wins; none where two match the same paths, which is refused. */
function winnerOf(sources: readonly string[], path: string): string | null {
  const [one, other] = sources as [string, string];
  if (isSamePaths(one, other)) return null;
  const answer = answerOf(indexOf(sources).match(path, -1));
  return typeof answer === "object" ? answer.pattern : null;
}

function isMatch(source: string, path: string, trailingSlash: TrailingSlash): boolean {
  return answerOf(indexOf([source], trailingSlash).match(path, -1)) !== 404;
}

/** Brings texts into another order; those with parentheses keep theirs among each other. */
function shuffle(sources: readonly string[], keys: readonly number[]): string[] {
  const shuffled = sources
    .map((source, index) => ({ source, key: keys[index % keys.length]! }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ source }) => source);
  const expressions = sources.filter((source) => source.includes("("));
  return shuffled.map((source) => (source.includes("(") ? expressions.shift()! : source));
}
