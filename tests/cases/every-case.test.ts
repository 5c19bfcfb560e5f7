import { describe, expect, it } from "vitest";
import { answerOf, indexOf, valuesOf } from "../support/answers.ts";
import { chains, statusOf, type Handled } from "../support/chains.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import type { PathSegment } from "../../src/routing/pattern/path-segment.ts";
import { oracleOf } from "../support/oracle.ts";
import type { Answer, Case } from "./case.ts";
import { cases, topics } from "./every-case.ts";

/** What answers targets for a table of patterns; made once per table. */
type Answerer = (path: string) => unknown;

const consumers: [name: string, make: (row: Case) => Answerer][] = [
  ["the index", ({ patterns, trailingSlash }) => answererOf(patterns, trailingSlash)],
  ["the oracle", ({ patterns, trailingSlash }) => oracleOf(patterns, trailingSlash)],
];

describe.each(consumers)("%s", (_, make) => {
  const answerers = new Map<readonly string[], Answerer>();
  describe.each(Object.entries(topics))("%s", (_topic, rows) => {
    it.each(titled(rows))("%s", (_title, row) => {
      const answer = answerers.get(row.patterns) ?? make(row);
      answerers.set(row.patterns, answer);
      expect(answer(row.path)).toStrictEqual(row.expect);
    });
  });
});

describe("the case table", () => {
  const kindOf = ({ kind, isOptional }: PathSegment): string => `${isOptional ? "optional " : ""}${kind}`;
  const pairsOf = (source: string): string[] => {
    const { segments } = parsePathPattern(source);
    return segments.slice(1).map((segment, at) => `${kindOf(segments[at]!)}, ${kindOf(segment)}`);
  };
  const kinds = ["a", "v:x", ":x(\\d+)", ":x(\\d+)?", "(\\d+)", ":x", ":x?", ":x+", ":x*"];

  it("C4.3 has each pair of kinds of segments that may stand side by side", () => {
    const possible = kinds.flatMap((one) =>
      kinds.flatMap((other) => {
        try {
          return pairsOf(`/${one}/${other.replace(":x", ":y")}`);
        } catch {
          return [];
        }
      }),
    );
    const present = new Set(cases.flatMap(({ patterns }) => patterns.flatMap(pairsOf)));
    expect(possible.filter((pair) => !present.has(pair))).toEqual([]);
    expect(possible.length).toBe(56);
  });
});

describe("the index", () => {
  it("C4.5 gives the same answers for the opposite order of registration", () => {
    for (const { patterns, path, expect: expected, trailingSlash } of cases.filter(({ isOrdered }) => !isOrdered)) {
      const answer = answererOf(patterns.toReversed(), trailingSlash);
      expect(answer(path), `${patterns.join(" ")} on ${path.slice(0, 80)}`).toStrictEqual(expected);
    }
  });

  it("C4.1 gives the same answers wherever the path stands in a URL", () => {
    for (const { patterns, path, expect: expected, trailingSlash } of cases) {
      if (!path.startsWith("/")) continue;
      const answer = answererOf(patterns, trailingSlash);
      for (const origin of ["http://h", "https://u:p@h.example:8080", "HTTP://127.0.0.1:80", "http://[::1]"]) {
        expect(answer(origin + path), `${patterns.join(" ")} on ${origin}${path.slice(0, 80)}`).toStrictEqual(expected);
      }
    }
  });
});

describe.each(chains)("$name", ({ Application, Resource, inputOf }) => {
  const applicationOf = ({ patterns, trailingSlash }: Case) =>
    Application.builder()
      .trailingSlash(trailingSlash)
      .resources(
        patterns.map(
          (pattern) =>
            class extends Resource {
              override paths = [pattern];
              override GET(input: unknown): never {
                return (input as Handled).params as never;
              }
            },
        ),
      )
      .build();
  const applications = new Map<readonly string[], ReturnType<typeof applicationOf>>();

  describe.each(Object.entries(topics))("%s", (_topic, rows) => {
    it.each(titled(rows))("%s", async (_title, row) => {
      const app = applications.get(row.patterns) ?? applicationOf(row);
      applications.set(row.patterns, app);
      const answer = await statusOf(app.handle(inputOf("GET", row.path)));
      expect(answerOfHandler(answer, row.expect)).toStrictEqual(row.expect);
      expect(app.match({ method: "GET", url: row.path })).toMatchObject(decisionOf(row.expect));
    });
  });
});

function titled(rows: readonly Case[]): [title: string, row: Case][] {
  return rows.map((row) => [`${row.because}: ${row.path.slice(0, 40)}`, row]);
}

function answererOf(patterns: readonly string[], trailingSlash: Case["trailingSlash"]): Answerer {
  const index = indexOf(patterns, trailingSlash);
  return (path) => answerOf(index.match(path, -1));
}

/** What a handler was given, in the form of a case. */
function answerOfHandler(answer: unknown, expected: Answer): unknown {
  if (typeof answer !== "object" || answer === null || typeof expected === "number") return answer;
  const params = answer as Handled["params"];
  const values = valuesOf(Object.keys(expected.params), (name) => params.pathParam(name));
  return { pattern: params.pattern, params: values };
}

function decisionOf(expected: Answer): object {
  if (typeof expected === "number") return { matched: false, status: { status: expected } };
  const pattern = { source: expected.pattern };
  if (Object.values(expected.params).includes(400)) return { matched: false, status: { status: 400 }, pattern };
  return { matched: true, pattern, params: expected.params };
}
