import { describe, expect, it } from "vitest";
import { PathIndexBuilder } from "./path-index-builder.ts";
import { parsePathPattern } from "../pattern/path-pattern.ts";

/** Adds patterns, each leading to its own source. Returns the results, and the rivals of each. */
const build = (...sources: readonly string[]) => {
  const builder = new PathIndexBuilder<string>();
  const rivals = sources.map((source) => builder.add(parsePathPattern(source), source).map(({ value }) => value));
  const index = builder.build();
  return { rivals, terminals: builder.terminals, find: (path: string): string | undefined => index.find(path)?.value };
};

describe("PathIndexBuilder.add()", () => {
  it("returns nothing if no pattern matches the same paths", () => {
    expect(build("/a", "/:a", "/a/:b?", "/(a)", "/*").rivals).toEqual([[], [], ["/a"], [], []]);
  });

  it("returns the entry that is there, which stays", () => {
    const { rivals, find } = build("/users/:id", "/users/:name");
    expect(rivals).toEqual([[], ["/users/:id"]]);
    expect(find("/users/7")).toBe("/users/:id");
  });

  it("adds the forms of a pattern that have no rival", () => {
    const { rivals, find } = build("/a", "/a/:b?/:c?", "/(x)", "/(x)/:b?/:c?");
    expect(rivals).toEqual([[], ["/a"], [], ["/(x)"]]);
    expect(["/a", "/a/1", "/a/1/2"].map(find)).toEqual(["/a", "/a/:b?/:c?", "/a/:b?/:c?"]);
    expect(["/x/1", "/x/1/2"].map(find)).toEqual(["/(x)/:b?/:c?", "/(x)/:b?/:c?"]);
  });

  it("adds nothing of a pattern that is there as a whole", () => {
    const { rivals, find, terminals } = build("/(x)/:a?", "/(x)/:b?", "/y/*", "/y/:all*");
    expect(rivals.map((list) => [...new Set(list)])).toEqual([[], ["/(x)/:a?"], [], ["/y/*"]]);
    expect(find("/x/1")).toBe("/(x)/:a?");
    expect(terminals).toBe(3);
  });

  it("lets a pattern that ends take the place of a rest of none, in either order", () => {
    for (const sources of [
      ["/a/*", "/a"],
      ["/a", "/a/*"],
    ]) {
      const { rivals, find, terminals } = build(...sources);
      expect(rivals).toEqual([[], []]);
      expect(["/a", "/a/", "/a/b"].map(find)).toEqual(["/a", "/a", "/a/*"]);
      expect(terminals).toBe(2);
    }
  });

  it("returns the rivals of every form, not of the first alone", () => {
    expect(build("/a/:b/:c", "/a/:b", "/a/:x/:y?").rivals.at(-1)).toEqual(["/a/:b", "/a/:b/:c"]);
    expect(build("/(x)", "/(x)/:a", "/(x)/:b?").rivals.at(-1)).toEqual(["/(x)/:a", "/(x)"]);
    expect(build("/a", "/a/:b+", "/a/:c*").rivals.at(-1)).toEqual([]);
  });

  it("sees a rival after one that gave way", () => {
    expect(build("/a/*", "/a/:b?", "/a/:rest*", "/a").rivals).toEqual([[], [], ["/a/*"], ["/a/:b?"]]);
  });

  it("sees a rival of the short form of a pattern with a slash at its end", () => {
    expect(build("/(x)/:b?/", "/(x)").rivals).toEqual([[], ["/(x)/:b?/"]]);
    expect(build("/(x)/:b?/", "/(x)/").rivals).toEqual([[], ["/(x)/:b?/"]]);
  });

  it("does not take an expression after another for the same at the beginning", () => {
    expect(build("/(a)", "/(b)/(c)", "/(c)", "/(d)/(e)/(a)").rivals).toEqual([[], [], [], []]);
  });

  it("throws where the expressions of a pattern do not compile together", () => {
    expect(() => build("/((?<n>a))/((?<n>b))")).toThrow(SyntaxError);
  });
});

describe("PathIndexBuilder.build()", () => {
  it("puts what may be taken in the order of precedence, whatever the order of registration", () => {
    const sources = ["/*", "/:a+", "/(.*)/x", "/(.*)", "/:a", "/:a(\\d)", "/:a.:b", "/x:a.y", "/z"];
    for (const order of [sources, sources.toReversed()]) {
      const { find } = build(...order);
      expect(["/z", "/x1.y", "/1.2", "/1", "/a", "/a/x", "/a/b", "/"].map(find)).toEqual([
        "/z",
        "/x:a.y",
        "/:a.:b",
        "/:a(\\d)",
        "/:a",
        "/(.*)/x",
        "/:a+",
        "/(.*)",
      ]);
    }
  });

  it("keeps different expressions in the order in which they were first seen", () => {
    expect(build("/(\\d+)", "/(\\w+)").find("/7")).toBe("/(\\d+)");
    expect(build("/(\\w+)", "/(\\d+)").find("/7")).toBe("/(\\w+)");
    expect(build("/:a(\\d+)/x", "/:a(\\w+)", "/:a(\\d+)").find("/7")).toBe("/:a(\\d+)");
    expect(build("/v:a(\\w+)", "/v:a(\\d+)").find("/v7")).toBe("/v:a(\\w+)");
    expect(build("/(a)/(\\w)", "/(a)/(\\d)", "/(a)/x/(b)").find("/a/7")).toBe("/(a)/(\\w)");
  });

  it("compares segment by segment after equal expressions", () => {
    const sources = ["/([a-z]+)", "/([a-z]+)/*", "/([a-z]+)/:a", "/([a-z]+)/:a(\\d)", "/([a-z]+)/x", "/([a-z]+)/x/:b"];
    for (const order of [sources, sources.toReversed()]) {
      const { rivals, find } = build(...order);
      expect(rivals).toEqual([[], [], [], [], [], []]);
      expect(["/q", "/q/x", "/q/7", "/q/y", "/q/y/z", "/q/x/1"].map(find)).toEqual([
        "/([a-z]+)",
        "/([a-z]+)/x",
        "/([a-z]+)/:a(\\d)",
        "/([a-z]+)/:a",
        "/([a-z]+)/*",
        "/([a-z]+)/x/:b",
      ]);
    }
  });

  it("prefers the longer one of two that are equal as far as the shorter goes", () => {
    for (const order of [
      ["/(.+)", "/(.+)/x"],
      ["/(.+)/x", "/(.+)"],
    ])
      expect(build(...order).find("/a/x")).toBe("/(.+)/x");
    for (const order of [
      ["/([^x]+)", "/([^x]+)/"],
      ["/([^x]+)/", "/([^x]+)"],
    ]) {
      expect(build(...order).find("/a/")).toBe("/([^x]+)");
      expect(build(...order).find("/a")).toBe("/([^x]+)");
    }
  });

  it("counts the ways in which patterns can end", () => {
    expect(build().terminals).toBe(0);
    expect(build("/", "/a", "/:a", "/(x)").terminals).toBe(4);
    expect(build("/a/:b?/:c?/:d?").terminals).toBe(4);
    expect(build("/a/*").terminals).toBe(2);
    expect(build("/a", "/a").terminals).toBe(1);
  });
});
