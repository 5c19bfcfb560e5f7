import { expect, it } from "vitest";
import { parsePathPattern } from "./path-pattern.ts";
import { signaturesOf } from "./signature.ts";

it("keeps one signature for paths that have the same params in the same way, and one each for others", () => {
  const kept = new Map();
  const of = (pattern: string, ...rest: [count: number, groups?: number[], isEmptyRest?: boolean]) =>
    signaturesOf(kept, parsePathPattern(pattern))(...rest);
  expect(of("/users/:id", 1)).toBe(of("/posts/:id/comments", 1));
  const others = [
    of("/users/:id", 1),
    of("/users/:name", 1),
    of("/:a/:b", 2),
    of("/:b/:a", 2),
    of("/:a/:b?", 1),
    of("/files/:id*", 1),
    of("/files/:id*", 0, [], true),
    of("/:id(.+\\.jpg)", 1, [1]),
    of("/:id(.+\\.jpg)", 1, [2]),
    of("/:ab/:c", 2),
    of("/:a/:bc", 2),
    of("/:id", 13, [1]),
    of("/:id", 3, [11]),
  ];
  expect(new Set(others).size).toBe(others.length);
});
