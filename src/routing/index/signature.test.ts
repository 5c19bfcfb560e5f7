import { expect, it } from "vitest";
import { parsePathPattern } from "../pattern/path-pattern.ts";
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

it.each([
  ["/a/:b", 1],
  ["/a/:b/:c?", 1],
  ["/a/:b/*", 1],
  ["/a/:b(\\d+)", 2],
  ["/a/:b([a-z0-9-]+)/c/:d(\\w+)?", 2],
  ["/a/:b([\\w-]+)/:c([A-F0-9_]+)", 2],
  ["/a/:b(\\d+)/:c", 1],
  ["/a/:b(\\d+)/:c.json", 0],
  ["/a/:b([\\w.]+)", 0],
  ["/a/:b([Z-a]+)", 0],
  ["/a/:b([0-z]+)", 0],
  ["/a/:b([!-~]+)", 0],
  ["/a/:b([^/]+)", 0],
  ["/a/:b([a-zé]+)", 0],
  ["/a/:b(\\d+|x)", 0],
  ["/a/:b(\\d)", 0],
  ["/a/:b(.\\d+)", 0],
  ["/a/:b(\\d+.)", 0],
  ["/a/(\\d+)", 0],
  ["/:a(\\d+)/:b(\\d+)/:c(\\d+)/:d(\\d+)", 2],
  ["/:a(\\d+)/:b(\\d+)/:c(\\d+)/:d(\\d+)/:e(\\d+)", 0],
  ["/:a/:b/:c/:d", 1],
  ["/:a/:b/:c/:d/:e", 0],
])("knows of a path that %s matches: %s", (pattern, proof) => {
  expect(signaturesOf(new Map(), parsePathPattern(pattern))(1).proof).toBe(proof);
});
