import { HTTPError } from "fingerpost/modules/http.native.js";
import { Application, Resource } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import type { Handled } from "../../tests/support/chains.ts";

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
