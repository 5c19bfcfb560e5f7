import { Application, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { resource } from "../../tests/cli/resource.ts";
import { explanationOf } from "./explained-request.ts";

/** What one application of these patterns, a resource each, considers for a path: pattern and reason. */
function considered(patterns: readonly string[], path: string): string[] {
  const app = Application.builder()
    .resources(patterns.map((pattern, index) => resource(`R${index}`, pattern)))
    .build();
  return explanationOf(app, "GET", path).considered.map(({ pattern, because }) => `${pattern}: ${because}`);
}

describe("explanationOf()", () => {
  it("ranks patterns that match, each with the difference that decides", () => {
    const patterns = ["/*", "/a/*", "/a/:id", "/a/:id(\\w+)", "/a/m:x", "/a/me", "/(.*)", "/a/:p+"];
    expect(considered(patterns, "/a/me")).toEqual([
      '/a/me: wins: segment 2, static "me", goes before affixed "m:x"',
      '/a/m:x: next: segment 2, affixed "m:x", goes before constrained ":id(\\w+)"',
      '/a/:id(\\w+): next: segment 2, constrained ":id(\\w+)", goes before param ":id"',
      '/a/:id: next: segment 2, param ":id", goes before rest ":p+"',
      '/a/:p+: next: segment 2, rest ":p+", goes before rest "*": it takes less',
      '/a/*: next: segment 1, static "a", goes before rest "(.*)"',
      '/(.*): next: segment 1, rest "(.*)", goes before rest "*": it takes less',
      "/*: last",
    ]);
  });

  it("distinguishes literal text, the end of the path and the order of registration", () => {
    expect(considered(["/:a.:b", "/:a.json"], "/x.json")[0]).toBe(
      '/:a.json: wins: segment 1, affixed ":a.json", goes before affixed ":a.:b": it has more literal text',
    );
    expect(considered(["/a/*", "/a"], "/a")[0]).toBe("/a: wins: it ends where the path ends");
    expect(considered(["/a/*", "/a/:b?"], "/a")[0]).toBe("/a/:b?: wins: it ends where the path ends");
    expect(considered(["/:a(\\w+)", "/:a(\\d+)"], "/7")[0]).toBe(
      "/:a(\\w+): wins: of two expressions at segment 1 the one that was registered first is tried first",
    );
  });

  it("names the rule that decides between affixed segments, whatever the others would say", () => {
    expect(considered(["/v:z", "/v:x(\\d+)"], "/v7")[0]).toBe(
      '/v:x(\\d+): wins: segment 1, affixed "v:x(\\d+)", goes before affixed "v:z": it has more constraints',
    );
    expect(considered(["/a:x", "/:z."], "/a.")[0]).toBe(
      '/:z.: wins: segment 1, affixed ":z.", goes before affixed "a:x": its text comes first in the order of code ' +
        "units",
    );
    expect(considered(["/v:x(\\w+)", "/ve:z"], "/ve7")[0]).toBe(
      '/ve:z: wins: segment 1, affixed "ve:z", goes before affixed "v:x(\\w+)": it has more literal text',
    );
  });

  it("names the rule that decides after equal segments", () => {
    expect(considered(["/(.+)", "/(.+)/x"], "/a/x")[0]).toBe("/(.+)/x: wins: it goes on behind an equal expression");
    expect(considered(["/(\\w+)/", "/(\\w+)"], "/a")[0]).toBe("/(\\w+): wins: it sees the slash at the end");
    expect(considered(["/a//:x", "/a//b"], "/a//b")[0]).toBe(
      '/a//b: wins: segment 3, static "b", goes before param ":x"',
    );
    expect(considered(["/a/*", "/a/:b?"], "/a/")[0]).toBe("/a/:b?: wins: it ends where the path ends");
    const app = Application.builder()
      .resources(resource("A", "/a/:x", "/a/:y", "/b/:x+", "/b/:y+"))
      .build();
    for (const path of ["/a/b", "/b/c"]) {
      expect(explanationOf(app, "GET", path).considered.map(({ because }) => because)).toEqual([
        "wins: it was registered first",
        "last",
      ]);
    }
  });

  it("says where a pattern that comes close stops matching", () => {
    const misses = considered(
      ["/a", "/a/:id(\\d+)", "/a/b/c/d", "/a/(\\d+)/x", "/a/b/:c/:d+", "/a/:x/:y", "/z"],
      "/a/b/c/",
    );
    expect(misses).toEqual([
      "/a/:x/:y: the only pattern that matches",
      '/a/b/c/d: the path ends before "d"',
      '/a/b/:c/:d+: the path ends before ":d+"',
      '/a: the path goes on with "/b/c/"',
      '/a/:id(\\d+): "b" does not match ":id(\\d+)"',
      '/a/(\\d+)/x: "b" does not match "(\\d+)"',
    ]);
    expect(considered(["/a/:b/c"], "/a//c")).toEqual(['/a/:b/c: ":b" matches no empty segment']);
    expect(considered(["/(\\d+)/x"], "/7/y")).toEqual(['/(\\d+)/x: what follows does not match "x"']);
    expect(considered(["/(\\d+)"], "/7/y")).toEqual(["/(\\d+): the path goes on behind it"]);
  });

  it("lists the five that come closest", () => {
    const patterns = ["/a/1", "/a/b/1", "/a/2", "/a/b/c/1", "/a/3", "/a/b/2", "/a/4", "/b"];
    expect(considered(patterns, "/a/b/c/d").map((line) => line.split(":")[0])).toEqual([
      "/a/b/c/1",
      "/a/b/1",
      "/a/b/2",
      "/a/1",
      "/a/2",
    ]);
  });

  it("says what matches an application that takes the slash at the end for significant", () => {
    const app = Application.builder()
      .resources(resource("A", "/a"), resource("B", "/:b/"))
      .trailingSlash("strict")
      .build();
    expect(explanationOf(app, "GET", "/a/").considered).toEqual([
      { pattern: "/:b/", resource: "B", matches: true, because: "the only pattern that matches" },
      { pattern: "/a", resource: "A", matches: false, because: "the slash at the end counts" },
    ]);
    expect(explanationOf(app, "GET", "/x").considered).toEqual([
      { pattern: "/:b/", resource: "B", matches: false, because: "the slash at the end counts" },
    ]);
  });

  it("names the trailing slash as the reason only if the path without it, or with it, would match", () => {
    const misses = (path: string): string[] => {
      const patterns = ["/c/:x?", "/c/:x(\\d)/:y?", "/d/:x?/", "/e/:x/", "/(\\d+)/:x?"];
      const app = Application.builder().resources(patterns.map((pattern, at) => resource(`R${at}`, pattern)));
      const { considered: list } = explanationOf(app.trailingSlash("strict").build(), "GET", path);
      return list.map(({ pattern, because }) => `${pattern}: ${because}`);
    };
    expect(misses("/c/")).toEqual([
      "/c/:x?: the slash at the end counts",
      '/c/:x(\\d)/:y?: the path ends before ":x(\\d)"',
    ]);
    expect(misses("/c/7/")).toEqual([
      "/c/:x?: the slash at the end counts",
      "/c/:x(\\d)/:y?: the slash at the end counts",
    ]);
    expect(misses("/d")).toEqual(["/d/:x?/: the slash at the end counts"]);
    expect(misses("/e/")).toEqual(['/e/:x/: the path ends before ":x"']);
    expect(misses("/7/")).toEqual(["/(\\d+)/:x?: the slash at the end counts"]);
    expect(misses("/7/x/y")).toEqual(["/(\\d+)/:x?: the path goes on behind it"]);
  });

  it("lists no pattern as one that matches but for a slash that counts, where the same one wins without", () => {
    const app = Application.builder()
      .resources(resource("A", "/a/", "/b"), resource("B", "/a"))
      .trailingSlash("strict")
      .build();
    expect(explanationOf(app, "GET", "/a/").considered).toEqual([
      { pattern: "/a/", resource: "A", matches: true, because: "the only pattern that matches" },
      { pattern: "/a", resource: "B", matches: false, because: "the slash at the end counts" },
    ]);
  });

  it("says why a method is not implemented", () => {
    class Nothing extends Resource {
      override paths = ["/nothing"];
    }
    const app = Application.builder().resources(resource("A", "/a"), Nothing).build();
    const because = (method: string, path: string) => explanationOf(app, method, path).because;
    expect(because("POST", "/a")).toBe("A does not implement POST; it implements GET");
    expect(because("POST", "/nothing")).toBe("Nothing does not implement POST; it implements no method");
    expect(because("get", "/a")).toBe("A does not implement get: it is none of the nine methods; A implements GET");
  });

  it("says why there is no path, or none that is matched", () => {
    const app = Application.builder().build();
    const of = (target: string) => {
      const { status, path, because, considered: patterns } = explanationOf(app, "GET", target);
      return [status, path, because, patterns.length];
    };
    expect(of("*")).toEqual([404, null, "The URL has no path: it is neither absolute nor begins with a slash", 0]);
    expect(of("http://[::1/")).toEqual([400, null, "The URL cannot be parsed", 0]);
    expect(of(`/${"x".repeat(8192)}`)).toEqual([414, null, "The path is longer than 8,192 characters", 0]);
    expect(of("/%61?b")).toEqual([404, "/a", "No pattern matches the path", 0]);
  });

  it("lists params, and middleware from the outside in", () => {
    class One extends Middleware {}
    class Two extends Middleware {}
    const group = ResourceGroup.builder().resources(resource("A", "/a/:b/:c?")).middleware(One, Two).build();
    const app = Application.builder().resources(group).build();
    expect(explanationOf(app, "GET", "/a/%2541")).toMatchObject({
      resource: "A",
      params: { b: "%41", c: null },
      middleware: ["One", "Two"],
    });
  });

  it("lists middleware if the method reaches it, whether or not the resource implements it", () => {
    class Guard extends Middleware {}
    const group = ResourceGroup.builder().resources(resource("A", "/a/:b")).middleware(Guard).build();
    const app = Application.builder().resources(group).build();
    const around = (method: string, target: string) => explanationOf(app, method, target).middleware;
    expect(around("GET", "/a/b")).toEqual(["Guard"]);
    expect(around("OPTIONS", "/a/b")).toEqual(["Guard"]);
    expect(around("GET", "/a/%ff")).toEqual(["Guard"]);
    expect(around("get", "/a/b")).toEqual([]);
    expect(around("GET", "/b")).toEqual([]);
  });

  it("names what has no name", () => {
    const group = ResourceGroup.builder()
      .resources(
        class extends Resource {
          override paths = ["/a"];
        },
      )
      .middleware(class extends Middleware {})
      .build();
    expect(explanationOf(Application.builder().resources(group).build(), "GET", "/a")).toMatchObject({
      resource: "(anonymous class)",
      middleware: ["(anonymous class)"],
    });
  });

  it("agrees with the application on what wins, whatever the patterns", () => {
    const patterns = [
      "/",
      "/:a",
      "/a",
      "/:a.:b",
      "/:n(\\d+)",
      "/(x.*)",
      "/:a/:b?",
      "/a/b/*",
      "/:r+",
      "/q/(\\d+)-:b/:c?",
    ];
    const app = Application.builder()
      .resources(
        patterns.map((pattern, index) => resource(`R${index}`, pattern)).slice(0, 6),
        resource("S", ...patterns.slice(7)),
      )
      .build();
    for (const path of [
      "/",
      "/a",
      "/a/",
      "/7",
      "/x",
      "/x/y",
      "/x.y",
      "/a/b",
      "/a/b/c",
      "/q/7-x",
      "/q/7-x/z",
      "//",
      "/a//b",
    ]) {
      const { pattern, considered: list } = explanationOf(app, "GET", path);
      const [first] = list.filter((entry) => entry.matches);
      expect(first?.pattern ?? null, path).toBe(pattern);
    }
  });
});
