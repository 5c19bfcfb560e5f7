import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { answerOf, builderOf, indexOf, matchSerialized } from "../support/answers.ts";
import { charactersRead, elementsCopied, mapCalls } from "./characters-read.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join("");
const list = (count: number, text: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => text(index));

describe("building", () => {
  const shapes: [name: string, pattern: (count: number) => string][] = [
    ["optional params", (count) => repeat(count, (index) => `/:p${index}?`)],
    ["constrained optional params", (count) => `/x${repeat(count, (index) => `/:p${index}(\\d+)?`)}`],
    ["optional params behind an expression", (count) => `/(x)${repeat(count, (index) => `/:p${index}?`)}`],
  ];
  const add = (pattern: string): void => {
    const builder = new PathIndexBuilder<null>();
    builder.add(parsePathPattern(pattern), null);
    builder.build();
  };

  it.each(shapes.slice(0, 2))("C4.9 makes n + 1 terminals of n %s", (_, pattern) => {
    for (const count of [1, 2, 18, 1000]) expect(builderOf([pattern(count)]).terminals).toBe(count + 1);
  });

  it.each([
    ...shapes,
    ["params in one segment", (count: number) => `/${repeat(count, (index) => `:p${index}-`)}`] as const,
  ])("C4.9 costs O(n) for n %s", (_, pattern) => {
    const [few, many] = [pattern(100), pattern(1000)];
    expect(mapCalls(() => add(many))).toBeLessThan(12 * mapCalls(() => add(few)));
    expect(charactersRead(() => add(many))).toBeLessThan(16 * charactersRead(() => add(few)));
    expect(elementsCopied(() => add(many))).toBeLessThan(12 * elementsCopied(() => add(few)));
  });

  it("C4.9 keeps the names of n optional params once, not for each terminal", () => {
    const heapOf = (count: number): number => {
      collect();
      const before = process.memoryUsage().heapUsed;
      const builder = builderOf([repeat(count, (at) => `/:p${at}?`)]);
      const index = builder.build();
      collect();
      const bytes = process.memoryUsage().heapUsed - before;
      expect([builder.terminals, index.find("/x")?.source.length]).toEqual([count + 1, expect.any(Number)]);
      return bytes;
    };
    // The median of three: other memory comes and goes meanwhile. Linear growth is 4, that of the square 16.
    const medianOf = (count: number): number =>
      list(3, () => "")
        .map(() => heapOf(count))
        .toSorted((a, b) => a - b)[1]!;
    expect(medianOf(8000)).toBeLessThan(8 * medianOf(2000));
  });

  it.each(shapes)("C4.3 matches with any number of %s", (_, pattern) => {
    const index = indexOf([pattern(1000)]);
    const front = pattern(0).replace(/[()]/g, "");
    for (const count of [0, 1, 500, 999, 1000]) {
      const answer = answerOf(index.match(front + "/7".repeat(count) || "/", -1));
      const values = Object.values(typeof answer === "object" ? answer.params : {}).filter((value) => value === "7");
      expect(values.length).toBe(count);
    }
    expect(answerOf(index.match(front + "/7".repeat(1001), -1))).toBe(404);
  });

  it("costs twice as much for twice as many patterns", () => {
    const patterns = (count: number): string[] =>
      list(count, (index) => [`/a${index}/:id`, `/b/:x/c${index}`, `/d/v${index}-:y`, `/e${index}`][index % 4]!);
    const build = (sources: readonly string[]) => (): void => {
      const builder = new PathIndexBuilder<null>();
      for (const source of sources) builder.add(parsePathPattern(source), null);
      builder.build();
    };
    expect(mapCalls(build(patterns(8000)))).toBeLessThan(2.2 * mapCalls(build(patterns(4000))));
    expect(builderOf(patterns(8000)).terminals).toBe(8000);
  });
});

describe("matching", () => {
  const crowd = list(200, (index) => `/:a${index}/x${index}`)
    .concat(list(200, (index) => `/a-${index}:b${index}`))
    .concat(list(200, (index) => `/:a-:b${index}/y${index}`))
    .concat(list(200, (index) => `/:c${index}-:d-:e.z${index}`))
    .concat(list(199, (index) => `/:p${index}/:q${index}/:r${index}/w${index}`))
    .concat(["/*"]);
  const tables: [name: string, patterns: readonly string[], paths: readonly ((length: number) => string)[]][] = [
    [
      "four params in a segment",
      ["/:a-:b-:c-:d"],
      [(length) => `/${"-a".repeat(length / 2)}`, (length) => `/${"-".repeat(length)}`],
    ],
    [
      "four constrained params in a segment",
      ["/:a(\\w+)-:b(\\w+)-:c(\\w+)-:d([a-z]+).x"],
      [(length) => `/${"-a".repeat(length / 2)}`],
    ],
    ["a separator that nearly stands everywhere", ["/:a--:b--:c"], [(length) => `/${"-a".repeat(length / 2)}`]],
    ["a param", ["/:a"], [(length) => `/${"a".repeat(length)}`]],
    ["a rest", ["/:a/:b+"], [(length) => "/a".repeat(length / 2)]],
    ["static segments", ["/a/a/a/a/b"], [(length) => "/a".repeat(length / 2)]],
    [
      "1,000 overlapping patterns",
      crowd,
      [
        (length) => `/${"-a".repeat(length / 2)}`,
        (length) => `/${"a".repeat(length)}/x7y`,
        (length) => "/a".repeat(length / 2),
        (length) => `/${"a-".repeat(length / 2)}.z3`,
        (length) => "/".repeat(length),
      ],
    ],
  ];

  it.each(tables)("C4.9 of a path of 8,190 characters costs ten times as much as of 819: %s", (_, patterns, paths) => {
    const index = indexOf(patterns);
    for (const pathOf of paths) {
      const [short, long] = [pathOf(810), pathOf(8100)];
      expect(index.find(long) === null).toBe(index.find(short) === null);
      const cost = charactersRead(() => matchSerialized(index, long));
      expect(cost).toBeLessThanOrEqual(12 * charactersRead(() => matchSerialized(index, short)));
      // The bound that counts: it does not depend on how many ways there would be to split the path.
      expect(cost).toBeLessThan(long.length * 8 * Math.max(1, patterns.length));
    }
  });

  it("of one table of static texts reads no more for 10,000 of them than for ten", () => {
    const texts = (count: number): string[] => list(count, (index) => `/resources/${10_000 + index}/details`);
    const cost = (count: number): number => {
      const index = indexOf(texts(count));
      return charactersRead(() => matchSerialized(index, `/resources/${10_000 + count - 1}/details`));
    };
    expect(cost(10_000)).toBeLessThan(2 * cost(10));
  });
});
