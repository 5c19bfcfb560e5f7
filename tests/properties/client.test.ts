import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filledPath } from "../../src/routing/pattern/filled-path.ts";
import { callUrl } from "../../src/client/call-url.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";
import { PathMatch } from "../../src/routing/index/path-match.ts";
import { indexOf } from "../support/answers.ts";
import { fewPatterns } from "./generated-patterns.ts";
import { echo, roundTripsBy } from "../support/round-trips.ts";
import { holds, runs, timeout } from "./runs.ts";

describe("client()", () => {
  it(
    "C11.4 gets back what it puts in, whatever the operation",
    async () => {
      const property = roundTripsBy(echo.fetch, "http://localhost");
      await holds(property, Math.max(runs, 10_000));
    },
    timeout * 5,
  );

  const values = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."ab7-./%^2eE é\\?#@:("), maxLength: 6 }),
    fc.constantFrom("..", "/evil.example", "//", "%2e", "a-b", "x.json", "7-a", "__proto__", "\ud800"),
  );

  it(
    "C11.4 fills a pattern so that the same values are read, at the same origin and base, or not at all",
    { timeout },
    async () => {
      const kept = { filled: 0, refused: 0 };
      const bases = fc.constantFrom(
        "http://h.example",
        "http://h.example/",
        "http://h.example/base/v1",
        "",
        "/",
        "/base",
      );
      await holds(
        fc.property(fewPatterns, fc.array(values, { minLength: 8, maxLength: 8 }), bases, ([pattern], texts, base) => {
          const { source } = pattern!;
          // A slash at the end is ignored, also that of an empty segment.
          fc.pre(!source.includes("//"));
          const { names } = parsePathPattern(source);
          const path = Object.fromEntries(names.map((name, at) => [name, texts[at]]));
          try {
            filledPath(source, path);
          } catch (error) {
            expect(error).toBeInstanceOf(TypeError);
            kept.refused++;
            return;
          }
          kept.filled++;
          const url = new URL(callUrl(base, source, { path, query: { q: 1 } }), "http://h.example/page");
          expect(url.origin).toBe("http://h.example");
          expect([url.search, url.hash]).toEqual(["?q=1", ""]);
          const prefix = base.includes("base") ? base.replace("http://h.example", "") : "";
          expect(url.pathname.startsWith(prefix)).toBe(true);
          const read = indexOf([source]).match(url.pathname.slice(prefix.length), -1) as PathMatch<null>;
          expect(read, source).toBeInstanceOf(PathMatch);
          // An absent rest of the root is empty.
          const come = names.map((name) => read.param(name) || undefined);
          expect(come, source).toEqual(names.map((name) => path[name] || undefined));
        }),
      );
      expect(Math.min(kept.filled, kept.refused)).toBeGreaterThan(100);
    },
  );
});
