import { HTTPError } from "fingerpost/modules/http.native.js";
import { Application, Resource } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import type { Handled } from "../../tests/support/chains.ts";
import { Params } from "./params.ts";

async function paramsOf(pattern: string, url: string): Promise<Handled["params"]> {
  class Item extends Resource {
    override paths = [pattern];
    override GET({ params }: Handled): unknown {
      return params;
    }
  }
  const app = Application.builder().resources(Item).build();
  return (await app.handle({ url, method: "GET" })) as Handled["params"];
}

describe("Params", () => {
  it("has the texts of its path params as they came, and none of any other value", async () => {
    expect(Params.textsOf(await paramsOf("/a/:b/:c?", "http://h/a/x%20y"))).toEqual(["x%20y", undefined]);
    for (const other of [undefined, null, "b", {}]) expect(Params.textsOf(other)).toEqual([]);
  });

  it("is one object for requests without params or query, and cannot be changed", async () => {
    const seen: Handled["params"][] = [];
    class Item extends Resource {
      override paths = ["/", "/x", "/users/:id"];
      override GET({ params }: Handled): unknown {
        return seen.push(params);
      }
    }
    const app = Application.builder().resources(Item).build();
    for (const url of ["/", "/", "/x", "/?a=1", "/users/7", "/users/7"]) await app.handle({ url, method: "GET" });
    const [first, second, other, query, one, two] = seen;
    expect(second).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
    expect(other).not.toBe(first);
    expect(query).not.toBe(first);
    expect(two).not.toBe(one);
    expect([first!.queryParam("a"), query!.queryParam("a"), first!.queryParam("a")]).toEqual([
      undefined,
      "1",
      undefined,
    ]);
  });

  it("takes the place of whatever the input had there", async () => {
    class Item extends Resource {
      override paths = ["/:a"];
      override GET({ params }: Handled): unknown {
        return params.pathParam("a");
      }
    }
    const app = Application.builder().resources(Item).build();
    for (const params of [null, undefined, 7, "text", {}, () => {}])
      expect(await app.handle({ url: "/x", method: "GET", params })).toBe("x");
  });

  it("reads the query once", async () => {
    const params = await paramsOf("/:a", "/x?q=1&q=2");
    expect([params.queryParam("q"), params.queryParams("q"), params.queryParam("q")]).toEqual(["1", ["1", "2"], "1"]);
    params.queryParams("q").push("3");
    expect(params.queryParams("q")).toEqual(["1", "2"]);
  });

  it("throws HTTPError 400 without a stack for a value that cannot be decoded, each time", async () => {
    const params = await paramsOf("/:a/:b", "/%ff/b");
    for (let i = 0; i < 2; i++) {
      expect(() => params.pathParam("a")).toThrow(HTTPError);
      expect(() => params.pathParam("a")).toThrow("Bad Request");
    }
    expect(params.pathParam("b")).toBe("b");
    expect(params.pathParam("c" as "a")).toBeUndefined();
  });
});

describe("Params.segments()", () => {
  const segmentsOf = async (pattern: string, url: string, name = "path", which?: "any"): Promise<unknown> => {
    const params = await paramsOf(pattern, url);
    try {
      return params.segments(name, which);
    } catch (error) {
      return error instanceof HTTPError ? `${error.status} ${error.message}` : error;
    }
  };

  it("returns the segments of a rest param, each decoded once", async () => {
    expect(await segmentsOf("/files/:path+", "/files/a/b%20c/%2541/%C3%A4")).toEqual(["a", "b c", "%41", "ä"]);
    expect(await segmentsOf("/files/:path+", "/files/a/b")).toEqual(["a", "b"]);
    expect(await segmentsOf("/:path*", "/a%20b")).toEqual(["a b"]);
    expect(await segmentsOf("/*", "/a/.b/c..d/...", "0")).toEqual(["a", ".b", "c..d", "..."]);
  });

  it("returns one segment of a plain param, and the segments that an expression took", async () => {
    expect(await segmentsOf("/:path", "/a%20b")).toEqual(["a b"]);
    expect(await segmentsOf("/:path(\\w+)", "/ab")).toEqual(["ab"]);
    expect(await segmentsOf("/(.+)/x", "/a%20b/c/x", "0")).toEqual(["a b", "c"]);
    for (const name of ["a", "b", "c", "d", "e"])
      expect(await segmentsOf("/:a/:b/:c/:d/:e+", "/a%20/b%20/c%20/d%20/e%20", name)).toEqual([`${name} `]);
  });

  it("is empty for a param that the path or the pattern does not have", async () => {
    expect(await segmentsOf("/files/:path*", "/files")).toEqual([]);
    expect(await segmentsOf("/files/*", "/files", "0")).toEqual([]);
    expect(await segmentsOf("/files/:path?", "/files")).toEqual([]);
    expect(await segmentsOf("/files", "/files")).toEqual([]);
  });

  it("throws HTTPError 404 for segments that cannot be joined to a file path", async () => {
    for (const target of ["a//b", "a/", "/", "a%2Fb", "a/..%2Fb", "a%5Cb", "a/b%00", "%00", "%0A%2F"])
      expect(await segmentsOf("/files/:path+", `/files/${target}`), target).toBe("404 Not Found");
    expect(await segmentsOf("/files/:path*", "/files/")).toBe("404 Not Found");
    expect(await segmentsOf("/v:path", "/v.")).toBe("404 Not Found");
    expect(await segmentsOf("/v:path", "/v..")).toBe("404 Not Found");
    expect(await segmentsOf("/v:path", "/v...")).toEqual(["..."]);
    expect(await segmentsOf("/v:path", "/v%0A")).toEqual(["\n"]);
  });

  it("returns all if any will do", async () => {
    const target = "/files//a%2Fb/c%5Cd/%00/";
    expect(await segmentsOf("/files/:path+", target, "path", "any")).toEqual(["", "a/b", "c\\d", "\0", ""]);
    expect(await segmentsOf("/files/:path*", "/files/", "path", "any")).toEqual([""]);
    expect(await segmentsOf("/v:path", "/v..", "path", "any")).toEqual([".."]);
  });

  it("throws HTTPError 400 for a segment that cannot be decoded, whichever will do", async () => {
    for (const target of ["%FF", "a/%FF", "/%FF", "a/%C3/%A4"]) {
      expect(await segmentsOf("/files/:path+", `/files/${target}`), target).toBe("400 Bad Request");
      expect(await segmentsOf("/files/:path+", `/files/${target}`, "path", "any"), target).toBe("400 Bad Request");
    }
  });

  it("returns a new array each time, and leaves the value as it is", async () => {
    const params = await paramsOf("/files/:path+", "/files/a/b%20c");
    params.segments("path").push("d");
    expect(params.segments("path")).toEqual(["a", "b c"]);
    expect(params.pathParam("path")).toBe("a/b c");
  });
});

describe("Params.mountedOf()", () => {
  it("returns the mounted resource that params lead to, and null for any other value", async () => {
    for (const url of ["/x", "/x?q=1"]) expect(Params.mountedOf(await paramsOf("/:a", url))?.name).toBe("Item");
    for (const other of [undefined, null, 7, "text", {}, () => {}]) expect(Params.mountedOf(other)).toBeNull();
  });
});
