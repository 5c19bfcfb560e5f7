import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "../build/path-index-builder.ts";
import { boundsOf, longestText, type PathMatch } from "./path-match.ts";
import { parsePathPattern } from "../pattern/path-pattern.ts";

const matchOf = (source: string, path: string): PathMatch<string> => {
  const builder = new PathIndexBuilder<string>();
  builder.add(parsePathPattern(source), "the value");
  return builder.build().find(path)!;
};

describe("PathMatch", () => {
  it("returns the pattern that matched, and what it leads to", () => {
    const match = matchOf("/users/:id", "/users/7");
    expect(match.source).toBe("/users/:id");
    expect(match.value).toBe("the value");
  });

  it("is one object for all paths without params", () => {
    const builder = new PathIndexBuilder<null>();
    for (const source of ["/a", "/b/:x?"]) builder.add(parsePathPattern(source), null);
    const index = builder.build();
    for (const path of ["/a", "/b"]) {
      expect(index.find(path)).toBe(index.find(`${path}/`));
      expect(index.find(path)!.isFixed).toBe(true);
    }
    expect(index.find("/b/1")).not.toBe(index.find("/b/1"));
    expect(index.find("/b/1")!.isFixed).toBe(false);
  });
});

describe("PathMatch.param()", () => {
  it("returns values by name, however many", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    for (let count = 1; count <= names.length; count++) {
      const some = names.slice(0, count);
      const match = matchOf(some.map((name) => `/:${name}`).join(""), some.map((name) => `/${name}${count}`).join(""));
      expect(some.map((name) => match.param(name))).toEqual(some.map((name) => `${name}${count}`));
      expect(match.param("h")).toBeUndefined();
    }
  });

  it("returns values before and after an expression", () => {
    const match = matchOf("/:a/:b/:c/:d/((x)y)/:e/(z)", "/1/2/3/4/xy/5/z");
    expect(["a", "b", "c", "d", "0", "e", "1"].map((name) => match.param(name))).toEqual([
      "1",
      "2",
      "3",
      "4",
      "xy",
      "5",
      "z",
    ]);
  });

  it("is undefined for what was not supplied, and for other names", () => {
    expect(matchOf("/:a?", "/").param("a")).toBeUndefined();
    expect(matchOf("/x/*", "/x").param("0")).toBeUndefined();
    expect(matchOf("/(x)/:a?", "/x").param("a")).toBeUndefined();
    for (const name of ["b", "", "constructor", "__proto__", "toString", "1"]) {
      expect(matchOf("/:a", "/7").param(name)).toBeUndefined();
    }
  });

  it("is undefined for what this path does not have, though one before had it", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const builder = new PathIndexBuilder<null>();
    builder.add(parsePathPattern(names.map((name) => `/:${name}?`).join("")), null);
    const index = builder.build();
    for (let count = 0; count <= names.length; count++) {
      index.find("/1/2/3/4/5/6");
      const match = index.find(`/${names.slice(0, count).join("/")}`)!;
      const expected = names.map((name, at) => (at < count ? name : undefined));
      expect(names.map((name) => match.param(name))).toEqual(expected);
    }
  });

  it("decodes once, as UTF-8", () => {
    expect(matchOf("/:a", "/%C3%A9%2F%2561").param("a")).toBe("é/%61");
    expect(matchOf("/(.+)", "/%C3%A9/%2F").param("0")).toBe("é//");
  });

  it("throws for what cannot be decoded, each time, and for no other value", () => {
    const match = matchOf("/:a/:b", "/%zz/7");
    expect(() => match.param("a")).toThrow(URIError);
    expect(() => match.param("a")).toThrow(URIError);
    expect(match.param("b")).toBe("7");
  });

  it("keeps its values when the index is used again", () => {
    const builder = new PathIndexBuilder<null>();
    builder.add(parsePathPattern("/:a/:b/:c/:d"), null);
    builder.add(parsePathPattern("/x/(\\d+)"), null);
    const index = builder.build();
    const [first, second] = [index.find("/1/2/3/4")!, index.find("/x/5")!];
    index.find("/6/7/8/9");
    index.find("/x/6");
    expect(["a", "b", "c", "d"].map((name) => first.param(name))).toEqual(["1", "2", "3", "4"]);
    expect(second.param("0")).toBe("5");
  });

  it("keeps more values than it has room for when the index is used again", () => {
    const builder = new PathIndexBuilder<null>();
    builder.add(parsePathPattern("/:a/:b/:c/:d/:e"), null);
    const index = builder.build();
    const match = index.find("/1/2/3/4/5")!;
    index.find("/66/77/88/99/100");
    expect(["a", "b", "c", "d", "e"].map((name) => match.param(name))).toEqual(["1", "2", "3", "4", "5"]);
  });
});

it("packs bounds up to the longest text, as a small integer of any engine", () => {
  for (const [from, to] of [
    [0, 0],
    [0, 1],
    [7, 12],
    [8191, 8192],
    [0, longestText],
    [longestText, longestText],
  ] as const) {
    const bounds = boundsOf(from, to);
    expect([Math.floor(bounds / (longestText + 1)), bounds & longestText]).toEqual([from, to]);
    expect(bounds).toBeLessThan(2 ** 30);
  }
});
