import { describe, expect, it } from "vitest";
import { PathIndexBuilder, type TrailingSlash } from "./path-index-builder.ts";
import type { PathIndex } from "./path-index.ts";
import { PathMatch } from "./path-match.ts";
import { parsePathPattern } from "./path-pattern.ts";
import { absent, maxPathLength, tooLong, unmatched, unparseable } from "./target-path.ts";

const indexOf = (sources: readonly string[], trailingSlash?: TrailingSlash): PathIndex<string> => {
  const builder = new PathIndexBuilder<string>(trailingSlash);
  for (const source of sources) builder.add(parsePathPattern(source), source);
  return builder.build();
};
const valueOf = (index: PathIndex<string>, target: string, isSerialized = false): unknown => {
  const match = index.match(target, isSerialized);
  return match instanceof PathMatch ? match.value : match;
};

describe("PathIndex.find()", () => {
  it("finds nothing in an empty table", () => {
    for (const path of ["/", "/a", "", "a"]) expect(indexOf([]).find(path)).toBeNull();
    for (const path of ["/", "/a"]) expect(indexOf([], "strict").find(path)).toBeNull();
  });

  it("finds nothing for text without a leading slash", () => {
    const index = indexOf(["/", "/a", "/:a", "/*", "/(.*)"]);
    for (const path of ["", "a", "a/b", "*"]) expect(index.find(path)).toBeNull();
  });

  it("C4.9 finds no path that is too long, of which bounds would not fit", () => {
    const index = indexOf(["/files/*"]);
    const path = `/files/${"x".repeat(maxPathLength - 7)}`;
    expect(index.find(path)!.param("0")).toBe(path.slice(7));
    expect(index.find(`${path}x`)).toBeNull();
  });

  it("finds the others beside patterns that are longer than any path", () => {
    const long = `/${"a".repeat(200_000)}`;
    const others = ["/a", "/aa", "/ab", "/a/:id", "/aa/:id", "/x/:id"];
    const index = indexOf([`${long}b`, `${long}c`, `${long}b/:id`, `${long}c/:id`, "/:any/end", ...others]);
    for (const pattern of others) expect(index.find(pattern.replace(":id", "1"))?.value).toBe(pattern);
    expect(index.find("/aaaaaa/end")?.value).toBe("/:any/end");
    for (const path of ["/ac", "/aaa", "/aaa/1", long.slice(0, maxPathLength)]) expect(index.find(path)).toBeNull();
  });

  it("prefers a static segment to a param, and tries the param where that fails", () => {
    const index = indexOf(["/users/me/settings", "/users/:id/posts", "/users/:id"]);
    expect(index.find("/users/me/settings")!.value).toBe("/users/me/settings");
    expect(index.find("/users/me/posts")!.param("id")).toBe("me");
    expect(index.find("/users/me")!.param("id")).toBe("me");
  });

  it("overwrites the values of a branch that failed", () => {
    const index = indexOf(["/:a-:b-:c/x", "/:d/:e", "/f/:g(\\d)/:h/:i"]);
    const match = index.find("/1-2-3/y")!;
    expect(["a", "b", "c", "d", "e"].map((name) => match.param(name))).toEqual([
      undefined,
      undefined,
      undefined,
      "1-2-3",
      "y",
    ]);
    expect(index.find("/f/1")!.param("e")).toBe("1");
  });

  it("takes rests one after the other where there are several", () => {
    const index = indexOf(["/a/:x*", "/a/:x+", "/a/(.*)/z"]);
    expect(index.find("/a/b/z")!.value).toBe("/a/(.*)/z");
    expect(index.find("/a/b")!.value).toBe("/a/:x+");
    expect(index.find("/a/")!.value).toBe("/a/:x*");
    expect(index.find("/a")!.value).toBe("/a/:x*");
    expect(indexOf(["/a/(.+)", "/a/:x+"]).find("/a/")).toBeNull();
  });

  it("shows expressions the path from its beginning, with the slash only if the pattern ends in one", () => {
    const index = indexOf(["/a/((?<=^/a/)b$)", "/c/(d$)/"]);
    expect(index.find("/a/b")).not.toBeNull();
    expect(index.find("/a/b/")).toBeNull();
    expect(index.find("/c/d/")).not.toBeNull();
    expect(index.match("http://h/a/b?x", true)).toBeInstanceOf(PathMatch);
  });

  it("ignores one slash at the end, or none", () => {
    for (const [trailingSlash, expected] of [
      ["ignore", "/a"],
      ["strict", undefined],
    ] as const) {
      const index = indexOf(["/a", "/b/:x", "/c/:y?"], trailingSlash);
      expect(index.find("/a/")?.value).toBe(expected);
      expect(index.find("/a//")).toBeNull();
      expect(index.find("/b/1/")?.param("x")).toBe(expected && "1");
      expect(index.find("/b//")).toBeNull();
      expect(index.find("/c/")?.value).toBe(expected && "/c/:y?");
    }
  });
});

describe("PathIndex.match()", () => {
  const index = indexOf(["/", "/a", "/b/:x", "/c/:y/(z)", "/d/:rest+"]);

  it("finds the path in origin-form and in absolute URLs", () => {
    for (const target of ["/b/1", "/b/1?x", "/b/1#x", "/b/1?x#y", "http://h/b/1", "http://H/b/1?x", "//b/1".slice(1)]) {
      expect(valueOf(index, target), target).toBe("/b/:x");
    }
    for (const target of ["http://h", "http://h?/a", "http://h/?/a", "/?/a", "/#/a"])
      expect(valueOf(index, target)).toBe("/");
  });

  it("gives the same for what the URL parser wrote", () => {
    for (const target of ["http://h/b/1", "https://h.example:81/b/1?x/y#z", "http://h/b/1#?x", "http://h/b/%31"]) {
      expect(valueOf(index, new URL(target).href, true), target).toBe("/b/:x");
      expect((index.match(new URL(target).href, true) as PathMatch<string>).param("x")).toBe("1");
    }
    expect(valueOf(index, "http://h/", true)).toBe("/");
    expect(valueOf(index, "http://h/?/a", true)).toBe("/");
    expect(valueOf(index, "http://h/a#/b/1", true)).toBe("/a");
    expect(valueOf(index, "http://h/e", true)).toBe(unmatched);
  });

  it("resolves the dot segments that some URL parsers leave", () => {
    for (const url of ["http://h/b/.a/../1", "http://h/b/.a/../1?x", "http://h/b/c/.a/./../../1"]) {
      expect((index.match(new URL(url).href, true) as PathMatch<string>).param("x"), url).toBe("1");
    }
    expect(valueOf(index, new URL("http://h/d/.a/..").href, true)).toBe(unmatched);
    expect((index.match("http://h/d/.a/b.c", true) as PathMatch<string>).param("rest")).toBe(".a/b.c");
  });

  it("reads values out of the target where they stand", () => {
    const match = index.match("https://user.example:8080/c/7/z?c=8", false) as PathMatch<string>;
    expect([match.param("y"), match.param("0")]).toEqual(["7", "z"]);
    expect((index.match("http://h/d/a/b/?x", true) as PathMatch<string>).param("rest")).toBe("a/b/");
  });

  it("makes paths canonical that are not", () => {
    for (const target of [
      "/%61",
      "/x/../a",
      "/./a",
      "\\a".replace("\\", "/"),
      "/\ta",
      "http://h/%61?x",
      "HTTP://h/./a",
    ]) {
      expect(valueOf(index, target), target).toBe("/a");
    }
    expect((index.match("/b/é", false) as PathMatch<string>).param("x")).toBe("é");
    expect((index.match("http://h/b/%C3%A9", true) as PathMatch<string>).param("x")).toBe("é");
  });

  it("tells why there is no match", () => {
    expect(valueOf(index, "/e")).toBe(unmatched);
    expect(valueOf(index, "/%65")).toBe(unmatched);
    expect(valueOf(index, "*")).toBe(absent);
    expect(valueOf(index, "")).toBe(absent);
    expect(valueOf(index, "http://[")).toBe(unparseable);
    expect(valueOf(index, `/b/${"1".repeat(8190)}`)).toBe(tooLong);
  });

  it("measures the path, not the target", () => {
    const long = `/b/${"1".repeat(8189)}`;
    for (const target of [long, `${long}?${"x".repeat(9000)}`, `http://h${long}`])
      expect(valueOf(index, target)).toBe("/b/:x");
    expect(valueOf(index, `http://h${long}#`, true)).toBe("/b/:x");
    expect(valueOf(index, `http://h${long}1`, true)).toBe(tooLong);
  });

  it("does not take a rest of none for a path with a slash at the end", () => {
    const rest = indexOf(["/a/*", "/b/:x/*"]);
    for (const [target, value] of [
      ["/a", undefined],
      ["/a/", ""],
      ["/a?", undefined],
      ["/a/?", ""],
    ] as const) {
      expect((rest.match(target, false) as PathMatch<string>).param("0"), target).toBe(value);
      expect((rest.match(`http://h${target}`, true) as PathMatch<string>).param("0"), target).toBe(value);
      expect((rest.match(target.replace("/a", "/b/1"), false) as PathMatch<string>).param("0"), target).toBe(value);
    }
  });
});
